import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { answersIn, formFields } from './fields.web.ts'
import { service, serviceCalls, type ServiceDetail } from './service.contract.ts'
import css from '../services.module.css'

/** Corrects a request: while nobody has begun, and when an office asked back. */
export default function ChangeService() {
  const t = useT('services')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(serviceCalls.show, { params: { id } })
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('change')} subtitle={of ? nameOf(of.kind) : '\u00A0'} wide={false}>
      <Card>
        <div className={css.form}>
          {!of ? <Bone height={260} /> : of.mine ? <Changing of={of} /> : <p role="alert">{t('not_changed')}</p>}
        </div>
      </Card>
    </Page>
  )
}

function Changing({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  const navigate = useNavigate()
  const { send } = useChange('/services', '/users/work')
  const returned = of.status === 'asked_back'
  const save = (resend: boolean) => (typed: Readonly<Record<string, unknown>>) =>
    send(serviceCalls.change, {
      params: { id: of.id },
      body: {
        answers: answersIn(of.fields, typed),
        why: (typed.why as string | null | undefined) || null,
        resend,
        version: of.version,
      },
    })
  return (
    <>
      {of.said && (
        <p role="alert" className={css.said}>
          <strong>{t('office_asks')}</strong> <bdi>{of.said}</bdi>
        </p>
      )}
      <Form
        fields={{ ...formFields(of.fields), why: service.fields.why }}
        // A file stands in a row as what it is, beside its id.
        values={{ ...of.answers, ...of.files, why: of.why }}
        bar="dialog"
        always={returned}
        submit={t(returned ? 'resend' : 'save')}
        onSave={save(returned)}
        onSaved={() => {
          notify.done(t(returned ? 'resent' : 'changed'))
          void navigate(to('/services/:id', { id: of.id }))
        }}
      />
    </>
  )
}
