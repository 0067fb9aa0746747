import { IconCheck, IconRotate, IconX } from '@tabler/icons-react'
import { useChange } from '#kit/web/api/index.ts'
import { act, notify } from '#kit/web/feedback/index.ts'
import { nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { BulkAction, BulkAnswer } from '#kit/web/list/bulk.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { useRightName } from '../rights/words.web.tsx'
import { reviewCalls } from './review.contract.ts'
import type { ReviewRow } from './review.contract.ts'

/** Rights that one call decides on. */
const MOST = 500
type Decision = 'confirm' | 'revoke' | 'reopen'
/** Whether a right is still open to a decision. */
const can = (decision: Decision) => (row: unknown) => (row as ReviewRow).abilities.includes(decision)

/** What a right is called. */
export function useWhat(): (row: ReviewRow) => string {
  const t = useT('access-and-people')
  const l = useLanguage()
  const right = useRightName()
  return (row) => (row.role ? nameOf(row.role, l) : row.permission ? right(row.permission) : t('super_admin'))
}

/** What can be decided on a right, alone and with others. */
export function useDecisions(id: number) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const what = useWhat()
  const { send } = useChange('/rights', '/users')
  const many = async (ids: readonly number[], decision: Decision, note?: string): Promise<BulkAnswer> => {
    const parts: BulkAnswer[] = []
    for (let at = 0; at < ids.length; at += MOST)
      parts.push(
        await send(reviewCalls.decide, {
          params: { id },
          body: { ids: ids.slice(at, at + MOST), decision, ...(note && { note }) },
        }),
      )
    return { done: parts.flatMap((part) => part.done), failed: parts.flatMap((part) => part.failed) }
  }
  const decide = async (row: ReviewRow, decision: Decision, note?: string) => {
    const answer = await many([row.id], decision, note)
    const [failed] = answer.failed
    if (failed) throw new Error(failed.errors.map((one) => problemText(one, l)).join(' '))
  }
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
  const inline = (row: ReviewRow): RowAction | null =>
    row.abilities.includes('confirm')
      ? {
          key: 'confirm',
          label: t('review_confirm'),
          icon: <IconCheck size={16} />,
          onSelect: () => confirm(row),
        }
      : null
  const actions = (row: ReviewRow): RowAction[] => [
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
  ]
  const bulk: BulkAction[] = [
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
  return { inline, actions, bulk }
}
