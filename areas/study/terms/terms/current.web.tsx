import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { f } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { CURRENT_TERM_KEYS, getCurrentTerms, setCurrentTerms } from './term.contract.ts'
import type { CurrentTermKey } from './term.contract.ts'

const LABELS: Record<CurrentTermKey, Label> = {
  current_term: ['Study', 'الدراسة'],
  current_admission_term: ['Admission', 'القبول'],
  current_admission_term_UG: ['Admission, undergraduate', 'القبول لمرحلة البكالوريوس'],
  current_admission_term_PG: ['Admission, postgraduate', 'القبول للدراسات العليا'],
  current_transfer_term: ['Transfers', 'التحويلات'],
  current_control_term: ['Control', 'الكنترول'],
  current_exam_term: ['Examinations', 'الامتحانات'],
}
const FIELDS = Object.fromEntries(CURRENT_TERM_KEYS.map((key) => [key, f.lookup(LABELS[key], 'term')]))

/** Which term each part of the university works in now. */
export default function CurrentTermsScreen() {
  const t = useT('terms')
  const { send } = useChange()
  const { data, error, refetch } = useCall(getCurrentTerms)
  return (
    <Page title={t('current_terms')} wide={false}>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {data && (
        <Form
          fields={FIELDS}
          values={Object.fromEntries(
            CURRENT_TERM_KEYS.flatMap((key) => [
              [key, data.data[key]?.id ?? null],
              [key, data.data[key]?.id ?? null],
            ]),
          )}
          sections={[
            {
              title: ['Current terms', 'الفصول الدراسية الحالية'],
              text: [
                'Registration, control and examinations each open in the term chosen here.',
                'يعمل التسجيل والكنترول والامتحانات كلٌّ في الفصل المحدد هنا.',
              ],
              fields: [...CURRENT_TERM_KEYS],
            },
          ]}
          onSave={(values) => send(setCurrentTerms, { body: values })}
          onSaved={() => {
            notify.done(t('current_terms_saved'))
            void refetch()
          }}
        />
      )}
    </Page>
  )
}
