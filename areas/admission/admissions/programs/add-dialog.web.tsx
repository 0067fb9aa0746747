import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatList, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { admissionProgramCalls as calls } from './admission-program.contract.ts'

/** Offers many programs at once: all that are open for admission, or those of an earlier admission with their seats and conditions. */
export default function AddProgramsDialog({ admission, onClose }: { admission: number; onClose: () => void }) {
  const t = useT('admissions')
  const lang = useLanguage()
  const { send } = useChange('/admissions', '/admission-programs')
  return (
    <Dialog opened onClose={onClose} title={t('add_programs')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Form
        fields={{
          from_admission_id: f.lookup(asLabel(t('as_in')), 'admission', { help: asLabel(t('as_in_text')) }),
          faculty_id: f.lookup(asLabel(t('of_faculty')), 'faculty', { help: asLabel(t('of_faculty_text')) }),
        }}
        values={{ from_admission_id: null, faculty_id: null }}
        bar="dialog"
        always
        submit={t('add_programs')}
        onCancel={onClose}
        onSaved={(next: () => void) => next()}
        onSave={async (values) => {
          const { from_admission_id, faculty_id } = values as Record<string, number | null | undefined>
          const { data } = await send(calls.addMany, {
            body: {
              admission_id: admission,
              from_admission_id: from_admission_id ?? null,
              faculty_id: faculty_id ?? null,
            },
          })
          return () => {
            const told = [
              t('added', { n: formatNumber(data.added) }),
              ...(data.without_seats ? [t('without_seats', { n: formatNumber(data.without_seats) })] : []),
              ...(data.left_out.length
                ? [t('left_out', { names: formatList(data.left_out.map((one) => nameOf(one, lang))) })]
                : []),
            ].join(' ')
            if (data.left_out.length || data.without_seats || !data.added) notify.info(told)
            else notify.done(told)
            onClose()
          }
        }}
      >
        <Field name="from_admission_id" wide autoFocus />
        <Field name="faculty_id" wide />
      </Form>
    </Dialog>
  )
}
