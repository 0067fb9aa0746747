import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Name, Status, act, notify } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { usePurpose } from '../moves/words.web.tsx'
import { deskCalls as calls } from './desk.contract.ts'
import { ReceiptLine } from './receipt-line.web.tsx'
import { drawerDifferenceOf, isToReview } from './shifts.web.tsx'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

/** One drawer: what should be in it and what was counted, its receipts in order, and the review of what differed. */
export default function ShiftScreen() {
  const t = useT('transactions')
  const lang = useLanguage()
  const { purpose } = usePurpose()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.showShift, { params: { id } })
  const { send } = useChange('/cashier')
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  const review = async () => {
    const said = await askReason({
      title: t('shift_review'),
      text: t('shift_review_text'),
      action: t('shift_review'),
      go: (note) => send(calls.review, { params: { id }, body: { note } }),
    })
    if (said) notify.done(t('shift_review_done'))
  }
  return (
    <Page
      title={of ? of.number : null}
      subtitle={of ? <Name row={of.cashier} /> : '\u00A0'}
      facts={[
        { label: t('shift_opened'), value: of ? formatInstant(of.opened_at) : '–' },
        {
          label: t('shift_closed'),
          value: !of ? (
            '–'
          ) : of.closed_at ? (
            formatInstant(of.closed_at)
          ) : (
            <Status is="in_progress" label={t('shifts_open')} />
          ),
        },
      ]}
      action={
        of && (
          <Button
            variant="default"
            leftSection={<IconFileDownload size={16} aria-hidden />}
            onClick={() =>
              void act({
                go: () => download(calls.sheet, { params: { id }, query: { lang: lang === 'ar' ? 'ar' : 'en' } }),
                done: () => null,
              })
            }
          >
            {t('shift_sheet')}
          </Button>
        )
      }
    >
      {!of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          <Cards least={300}>
            {of.drawers.map((one) => {
              const money = (minor: number) => <bdi className={css.figure}>{formatMoney(minor, one.currency)}</bdi>
              const difference = drawerDifferenceOf(one)
              return (
                <Card key={one.currency} title={one.currency}>
                  <dl className={css.drawer}>
                    <dt>{t('opening')}</dt>
                    <dd>{money(one.opening)}</dd>
                    {of.ways
                      .filter((way) => way.currency === one.currency)
                      .flatMap((way) => [
                        <dt key={`${way.purpose} t`}>
                          {purpose(way.purpose as never)} ({formatNumber(way.transactions)})
                        </dt>,
                        <dd key={`${way.purpose} d`}>{money(way.amount)}</dd>,
                      ])}
                    <dt data-sum>{t('expected')}</dt>
                    <dd data-sum>{money(one.expected)}</dd>
                    {one.counted !== null && (
                      <>
                        <dt>{t('shift_counted')}</dt>
                        <dd>{money(one.counted)}</dd>
                        <dt data-sum>{t('shift_difference')}</dt>
                        <dd data-sum>{money(difference ?? 0)}</dd>
                      </>
                    )}
                  </dl>
                </Card>
              )
            })}
          </Cards>
          {(of.note || of.review || isToReview(of)) && (
            <Card title={t('shift_reason')}>
              <Stack>
                {of.note && (
                  <p className={css.text}>
                    <bdi>{of.note}</bdi>
                  </p>
                )}
                {of.review && (
                  <p className={css.text}>
                    {t('shift_reviewed', {
                      name: of.review.by,
                      date: formatDate(dayOf(of.review.at)),
                      note: of.review.note,
                    })}
                  </p>
                )}
                {of.abilities.includes('review') && (
                  <div className={shared.buttons}>
                    <Button onClick={() => void review()}>{t('shift_review')}</Button>
                  </div>
                )}
              </Stack>
            </Card>
          )}
          <Card title={t('shift_receipts')}>
            {of.receipts.length === 0 ? (
              <p className={css.text}>{t('shift_no_receipts')}</p>
            ) : (
              <ul className={css.lines}>
                {of.receipts.map((one) => (
                  <ReceiptLine key={one.id} of={one} purpose={purpose(one.purpose as never)} />
                ))}
              </ul>
            )}
          </Card>
        </Stack>
      )}
    </Page>
  )
}
