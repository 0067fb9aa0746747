import { Button } from '@mantine/core'
import { IconCheck, IconRotate, IconX } from '@tabler/icons-react'
import { dayOf } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Name, Status, act, notify } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { BulkAnswer } from '#kit/web/list/bulk.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { PlaceName, useDays, useRightName } from '../rights/words.web.tsx'
import { DECISIONS, reviewCalls, reviewFields } from './review.contract.ts'
import type { ReviewRow } from './review.contract.ts'

/** Rights that one call decides on. */
const MOST = 500
type Decision = 'confirm' | 'revoke' | 'reopen'
/** Whether a right is still open to a decision. */
const can = (decision: Decision) => (row: unknown) => (row as ReviewRow).abilities.includes(decision)

/** One review: each right that was given, with what became of it and who decided. */
export default function ReviewScreen() {
  const id = Number(useParams().id)
  const t = useT('access-and-people')
  const l = useLanguage()
  const say = useLabel()
  const right = useRightName()
  const days = useDays()
  const { data, error, refetch } = useCall(reviewCalls.getReview, { params: { id } })
  const { send } = useChange('/rights', '/users')
  const review = data?.data
  const many = async (ids: readonly number[], decision: Decision, note?: string): Promise<BulkAnswer> => {
    const parts: BulkAnswer[] = []
    for (let at = 0; at < ids.length; at += MOST)
      parts.push(
        await send(reviewCalls.decide, {
          params: { id },
          body: { ids: ids.slice(at, at + MOST), decision, ...(note && { note }) },
        }),
      )
    return { done: parts.flatMap((one) => one.done), failed: parts.flatMap((one) => one.failed) }
  }
  const decide = async (row: ReviewRow, decision: Decision, note?: string) => {
    const answer = await many([row.id], decision, note)
    const [failed] = answer.failed
    if (failed) throw new Error(failed.errors.map((one) => problemText(one, l)).join(' '))
  }
  const what = (row: ReviewRow): string =>
    row.role ? nameOf(row.role, l) : row.permission ? right(row.permission) : t('super_admin')
  const confirm = (row: ReviewRow) =>
    void act({
      go: () => decide(row, 'confirm'),
      done: () => t('review_confirmed', { name: nameOf(row.user, l), what: what(row) }),
      undo: () => decide(row, 'reopen'),
    }).catch(notify.error)
  const revoke = async (row: ReviewRow) => {
    const note = await askReason({
      title: t('review_revoke_title', { name: nameOf(row.user, l), what: what(row) }),
      text: t('review_revoke_text'),
      action: t('take'),
      danger: true,
      go: (reason) => decide(row, 'revoke', reason),
    })
    if (note !== null) notify.done(t('review_revoked', { name: nameOf(row.user, l), what: what(row) }))
  }
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
          rowName={(row) => `${nameOf(row.user, l)}: ${what(row)}`}
          inline={(row) =>
            row.abilities.includes('confirm')
              ? {
                  key: 'confirm',
                  label: t('review_confirm'),
                  icon: <IconCheck size={16} />,
                  onSelect: () => confirm(row),
                }
              : null
          }
          actions={(row) => [
            ...(row.abilities.includes('confirm')
              ? [
                  {
                    key: 'confirm',
                    label: t('review_confirm'),
                    icon: <IconCheck size={16} />,
                    onSelect: () => confirm(row),
                  },
                ]
              : []),
            ...(row.abilities.includes('revoke')
              ? [
                  {
                    key: 'revoke',
                    label: t('take'),
                    icon: <IconX size={16} />,
                    tone: 'refused' as const,
                    onSelect: () => void revoke(row),
                  },
                ]
              : []),
            ...(row.abilities.includes('reopen')
              ? [
                  {
                    key: 'reopen',
                    label: t('review_reopen'),
                    icon: <IconRotate size={16} />,
                    onSelect: () => void decide(row, 'reopen').catch(notify.error),
                  },
                ]
              : []),
          ]}
          bulk={
            review.abilities.includes('decide')
              ? [
                  {
                    key: 'confirm',
                    label: t('review_confirm'),
                    icon: <IconCheck size={14} />,
                    applies: can('confirm'),
                    run: (ids) => many(ids, 'confirm'),
                    undo: (ids) => many(ids, 'reopen'),
                  },
                  {
                    key: 'revoke',
                    label: t('take'),
                    icon: <IconX size={14} />,
                    tone: 'refused',
                    applies: can('revoke'),
                    asks: true,
                    run: async (ids, whom) => {
                      let answer: BulkAnswer = { done: [], failed: [] }
                      await askReason({
                        title: t('review_revoke_many', { count: ids.length }),
                        text: t('review_revoke_text'),
                        action: t('take'),
                        danger: true,
                        heavy: true,
                        whom,
                        go: async (reason) => {
                          answer = await many(ids, 'revoke', reason)
                        },
                      })
                      return answer
                    },
                  },
                ]
              : undefined
          }
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
