import { Button } from '@mantine/core'
import { dayOf } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLabel, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { PlaceName, useDays } from '../rights/words.web.tsx'
import { useDecisions, useWhat } from './decisions.web.tsx'
import { DECISIONS, reviewCalls, reviewFields } from './review.contract.ts'
import type { ReviewRow } from './review.contract.ts'

/** One review: each right that was given, with what became of it and who decided. */
export default function ReviewScreen() {
  const id = Number(useParams().id)
  const t = useT('access-and-people')
  const l = useLanguage()
  const say = useLabel()
  const what = useWhat()
  const { inline, actions, bulk } = useDecisions(id)
  const days = useDays()
  const { data, error, refetch } = useCall(reviewCalls.getReview, { params: { id } })
  const { send } = useChange('/rights', '/users')
  const review = data?.data
  const close = () =>
    void act({
      ask: {
        title: t('review_close_title'),
        consequence: t('review_close_text', { count: review?.open ?? 0 }),
        action: t('review_close'),
      },
      go: () => send(reviewCalls.closeReview, { params: { id } }),
      done: () => t('review_closed_done'),
    })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page
      title={review}
      subtitle={review ? t('review_until', { day: formatDate(review.until_date, 'long', l) }) : '\u00A0'}
      facts={
        review && [
          { label: say(DECISIONS[0].label), value: review.open },
          { label: say(DECISIONS[1].label), value: review.confirmed },
          { label: say(DECISIONS[2].label), value: review.revoked },
        ]
      }
      action={
        review?.abilities.includes('close') && (
          <Button variant="default" onClick={close}>
            {t('review_close')}
          </Button>
        )
      }
    >
      {!review ? (
        <Bone height={320} />
      ) : (
        <ListScreen<ReviewRow & { readonly [key: string]: unknown }>
          call={reviewCalls.reviewRows as never}
          params={{ id }}
          name="/rights/reviews/rows"
          page={false}
          title={['Rights', 'الصلاحيات']}
          order={['user', 'asc']}
          perPage={25}
          filters={reviewFields}
          rowName={(row) => withHeading(nameOf(row.user, l), what(row))}
          inline={inline}
          actions={actions}
          bulk={review.abilities.includes('decide') ? bulk : undefined}
          columns={[
            { key: 'user', label: ['Who', 'من'], sort: true, width: 220, cell: (row) => <Name row={row.user} /> },
            { key: 'what', label: ['Right', 'الصلاحية'], width: 240, cell: (row) => <bdi>{what(row)}</bdi> },
            { key: 'scope', label: ['Where', 'النطاق'], width: 220, cell: (row) => <PlaceName scope={row.scope} /> },
            { key: 'days', label: ['Days', 'المدة'], width: 170, cell: (row) => days(row) },
            {
              key: 'since',
              label: ['Given', 'تاريخ المنح'],
              sort: true,
              width: 120,
              cell: (row) => formatDate(dayOf(row.since), 'short', l),
            },
            {
              key: 'decision',
              label: ['Decision', 'القرار'],
              width: 150,
              cell: (row) => {
                const state = DECISIONS.find(({ value }) => value === row.decision)!
                return <Status tone={state.tone} label={say(state.label)} />
              },
            },
            {
              key: 'decided_by',
              label: ['By whom', 'بواسطة'],
              width: 170,
              cell: (row) => (row.decided_by ? <Name row={row.decided_by} /> : '–'),
            },
          ]}
          empty={{ title: t('review_rows_none'), text: t('review_rows_none_text') }}
        />
      )}
    </Page>
  )
}
