import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { to, useLocation, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { certificate, certificateCalls } from './certificate.contract.ts'
import css from '../certificates.module.css'

const calls = resourceCalls(certificate)
const F = certificate.fields

/** Changes how a certificate is delivered, and what it is for. Type, language and copies decide the price, and stay. */
export default function ChangeCertificate() {
  const t = useT('certificates')
  const own = useLocation().pathname.startsWith('/services/')
  const navigate = useNavigate()
  const { send } = useChange('/certificates')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const row = data?.data
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('change')} subtitle={row?.type ? nameOf(row.type) : '\u00A0'} wide={false}>
      <Card>
        <div className={css.form}>
          {row ? (
            <Form
              fields={(typed: Readonly<Record<string, unknown>>) => ({
                delivery: F.delivery,
                address: f.longText(F.address.label, { required: typed.delivery === 'by_mail', max: 500 }),
                why: F.why,
              })}
              values={row}
              visible={{ address: (typed) => typed.delivery === 'by_mail' }}
              bar="dialog"
              onSave={({ delivery, address, why }, _changed, version) =>
                send(certificateCalls.change, {
                  params: { id },
                  body: {
                    delivery: delivery as 'by_hand',
                    address: delivery === 'by_mail' ? (address as string) : null,
                    why: String(why),
                    version: version ?? row.version,
                  },
                })
              }
              onSaved={() => {
                notify.done(t('changed'))
                void navigate(own ? `/services/certification?id=${id}` : to('/certificates/show/:id', { id }))
              }}
            />
          ) : (
            <Bone height={260} />
          )}
        </div>
      </Card>
    </Page>
  )
}
