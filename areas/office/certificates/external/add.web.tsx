import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { zod } from '#kit/web/zod/zod.ts'
import { ELSEWHERE_KINDS, elsewhereCalls } from './external.contract.ts'
import { PaperFile } from './file.web.tsx'
import css from '../certificates.module.css'

const WHOSE = [
  { value: 'student', label: ['A student', 'طالب'] },
  { value: 'applicant', label: ['An applicant', 'متقدم'] },
  { value: 'other', label: ['Somebody else', 'شخص آخر'] },
] as const
type Typed = Readonly<Record<string, unknown>>

/** Registers a paper that somebody brought from elsewhere, with its file. What the file says of itself is known at once. */
export default function RegisterExternal() {
  const t = useT('certificates')
  const navigate = useNavigate()
  const [asked] = useSearchParams()
  const student = Number(asked.get('student')) || null
  const applicant = Number(asked.get('applicant')) || null
  const { send } = useChange('/certificates', '/students')
  const save = async ({ whose, file, ...typed }: Typed) => {
    const body = Object.fromEntries(
      Object.entries({
        ...typed,
        student_id: whose === 'student' ? typed.student_id : null,
        applicant_id: whose === 'applicant' ? typed.applicant_id : null,
        person_name: whose === 'other' ? typed.person_name : null,
      }).filter(([, value]) => value !== null && value !== undefined && value !== ''),
    )
    const { data } = await send(elsewhereCalls.register, { body: body as never, file: file as File })
    notify.done(t('external_registered'))
    void navigate(to('/certificates/external/:id', { id: data.id }))
  }
  return (
    <Page title={t('external_register')} wide={false}>
      <Card>
        <div className={css.form}>
          <Form
            fields={(typed: Typed) => ({
              whose: f.choice(asLabel(t('external_whose')), WHOSE, { required: true }),
              student_id: f.lookup(asLabel(t('external_student')), 'student', { required: typed.whose === 'student' }),
              applicant_id: f.lookup(asLabel(t('external_applicant')), 'applicant', {
                required: typed.whose === 'applicant',
              }),
              person_name: f.text(asLabel(t('external_person_name')), {
                required: typed.whose === 'other',
                max: 200,
                person: true,
              }),
              kind: f.choice(asLabel(t('external_kind')), ELSEWHERE_KINDS, { required: true }),
              issuer_id: f.lookup(asLabel(t('external_issuer')), 'paperIssuer', { required: true }),
              number: f.text(asLabel(t('external_number')), { max: 100 }),
              issued_on: f.date(asLabel(t('external_issued_on'))),
              file: { ...f.file(asLabel(t('external_file')), { required: true }), schema: zod.unknown() },
              note: f.longText(asLabel(t('external_note')), { max: 1000 }),
            })}
            values={{ whose: applicant ? 'applicant' : 'student', student_id: student, applicant_id: applicant }}
            visible={{
              student_id: (typed) => typed.whose === 'student',
              applicant_id: (typed) => typed.whose === 'applicant',
              person_name: (typed) => typed.whose === 'other',
            }}
            inputs={{ file: PaperFile }}
            bar="dialog"
            always
            submit={t('external_register')}
            onSave={save}
          />
        </div>
      </Card>
    </Page>
  )
}
