import { useCall } from '#kit/web/api/index.ts'
import { Failed, Name, Code } from '#kit/web/feedback/index.ts'
import { formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { SponsorshipState, Worth } from '../sponsors/students.web.tsx'
import shared from '../../money.module.css'
import css from '../sponsors.module.css'
import { sponsorshipCalls } from './sponsorship.contract.ts'

/** Who pays for a student, of which terms, how much, and what of invoices that was. */
export function SponsorsOf({ student }: { student: number }) {
  const t = useT('sponsors')
  const { data, error, refetch } = useCall(sponsorshipCalls.ofStudent, { params: { id: student } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const rows = data?.data
  return (
    <Card title={t('sponsors')}>
      {!rows ? (
        <Bone height={80} />
      ) : !rows.length ? (
        <p className={shared.text}>{t('student_no_sponsors')}</p>
      ) : (
        <ul className={shared.list}>
          {rows.map((row) => (
            <li key={row.id} className={css.line}>
              <span className={shared.two}>
                <Link to={to('/sponsors/:id', { id: row.sponsor.id })}>
                  <Name row={row.sponsor} />
                </Link>
                <small>
                  <Name row={row.from_term} />
                  {' – '}
                  {row.until_term ? <Name row={row.until_term} /> : '…'}
                  {row.reference && (
                    <>
                      {' · '}
                      <Code>{row.reference}</Code>
                    </>
                  )}
                </small>
              </span>
              <span className={shared.buttons}>
                <b>
                  <Worth row={row} currency={row.currency} />
                </b>
                <span className={shared.dim}>
                  {t('taken')}: <bdi>{formatMoney(row.taken, row.currency)}</bdi>
                </span>
                <SponsorshipState status={row.status} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
