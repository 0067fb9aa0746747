import { Button } from '@mantine/core'
import { IconCheck, IconClock, IconEye, IconSignature } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { download } from '#kit/web/api/client.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Code, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { certificateCalls, type CertificateDetail } from './certificate.contract.ts'
import { TurnNotes } from '../turns/turn.web.tsx'
import { Papers } from './papers.web.tsx'
import css from '../certificates.module.css'

const saved = (work: Promise<void>) => void work.catch((problem: unknown) => notify.error(problem))

/** What a certificate has besides what was asked for: its fee, who signs it, and the papers that were issued. */
export function CertificateParts({ id, version, lang }: { id: number; version: number; lang: string | null }) {
  const t = useT('certificates')
  const me = useMe()
  const { data, error, refetch } = useCall(certificateCalls.detail, { params: { id } }, { meta: { version } })
  const found = data?.data
  if (error && !found) return <Failed error={error} retry={() => void refetch()} />
  if (!found) return <Bone height={180} />
  const staff = !found.own && me.can('edit_certificate', 'decide_certificate', 'sign_certificate')
  return (
    <>
      {found.changed && (
        <p role="alert" className={css.changed}>
          {t('changed_since')}
        </p>
      )}
      <TurnNotes of={found} />
      <Fee of={found} />
      {found.chain.length > 0 && (
        <Card title={t('signatures')}>
          <Chain of={found} staff={staff} />
          {found.can_sign && <Sign of={found} />}
        </Card>
      )}
      {staff && found.prepared_at && (
        <Card title={t('draft')}>
          <Draft id={id} lang={lang} />
          {found.wording !== null && <small>{t('prepared_with', { number: found.wording })}</small>}
        </Card>
      )}
      {found.papers.length > 0 && (
        <Card title={t('papers')}>
          <Papers of={found} staff={staff} />
        </Card>
      )}
    </>
  )
}

function Fee({ of: { fee, own } }: { of: CertificateDetail }) {
  const t = useT('certificates')
  const me = useMe()
  if (!fee) return null
  const { invoice_id: id } = fee
  // Who works here has the own account in place of a list of invoices.
  const asStaff = own && me.user.student_id === null
  const where = asStaff ? '/my_money' : me.can('access_payment') ? to('/payments/:id', { id }) : null
  return (
    <Card title={t('fee')} aside={<Status is={fee.paid ? 'done' : 'failed'} label={t(fee.paid ? 'paid' : 'unpaid')} />}>
      <p className={css.line}>
        <bdi>{formatMoney(fee.amount, fee.currency)}</bdi>
        {where === null ? (
          <Code>{fee.number}</Code>
        ) : (
          <Link to={where}>
            <Code>{fee.number}</Code>
          </Link>
        )}
      </p>
      {own && !fee.paid && (
        <Button component={Link} to={asStaff ? to('/my_money') : to('/student-payments')}>
          {t('fee_pay')}
        </Button>
      )}
    </Card>
  )
}

/** Whose turn it is signs what stands on it now. */
function Sign({ of }: { of: CertificateDetail }) {
  const t = useT('certificates')
  const { send } = useChange('/certificates', '/users/work')
  const sign = () =>
    act({
      ask: { title: t('sign_question', { count: 1 }), consequence: t('sign_question_text'), action: t('sign') },
      go: () => send(certificateCalls.sign, { params: { id: of.id }, body: { version: of.version } }),
      done: () => t('signed_done', { count: 1 }),
    })
  return (
    <p className={css.line}>
      <Button leftSection={<IconSignature size={16} aria-hidden />} onClick={() => void sign()}>
        {t('sign')}
      </Button>
    </p>
  )
}

/** The chain of signatures in its order: who has signed, whose turn it is. */
export function Chain({ of: { chain }, staff }: { of: Pick<CertificateDetail, 'chain'>; staff: boolean }) {
  const t = useT('certificates')
  const next = chain.findIndex((one) => one.signed_at === null)
  return (
    <ol className={css.chain}>
      {chain.map((one, i) => (
        <li key={one.position_id} data-signed={one.signed_at !== null || undefined} data-next={i === next || undefined}>
          {one.signed_at ? <IconCheck size={16} aria-hidden /> : <IconClock size={16} aria-hidden />}
          <span>
            <Name row={one} />
            <small>
              {one.signed_at ? (
                <>
                  <Name row={one.signed_by} />
                  {one.deputy && (
                    <>
                      {' '}
                      ({t('by_deputy')} <Name row={one.deputy} />)
                    </>
                  )}{' '}
                  · {formatInstant(one.signed_at)}
                </>
              ) : one.holder ? (
                <Name row={one.holder} />
              ) : (
                t(staff ? 'position_vacant' : 'not_signed')
              )}
            </small>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** As it would be issued now. */
function Draft({ id, lang }: { id: number; lang: string | null }) {
  const t = useT('certificates')
  return (
    <div className={css.line}>
      {(lang === 'both' ? (['ar', 'en'] as const) : [lang === 'en' ? ('en' as const) : ('ar' as const)]).map((one) => (
        <Button
          key={one}
          variant="default"
          size="xs"
          leftSection={<IconEye size={15} aria-hidden />}
          onClick={() => saved(download(certificateCalls.draft, { params: { id, lang: one } }))}
        >
          {t(one === 'ar' ? 'draft_ar' : 'draft_en')}
        </Button>
      ))}
    </div>
  )
}
