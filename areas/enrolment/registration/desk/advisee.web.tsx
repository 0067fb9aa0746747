import { Empty } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Desk } from './desk.web.tsx'

/** Registration of a student, for the advisor and the registrar. */
export default function AdviseeRegistration() {
  const t = useT('registration')
  const { id } = useParams()
  return /^[1-9]\d{0,8}$/.test(id ?? '') ? <Desk key={id} studentId={Number(id)} /> : <Empty title={t('no_student')} />
}
