import { IconCheck, IconSpeakerphone } from '@tabler/icons-react'
import { download, useChange } from '#kit/web/api/index.ts'
import { act, notify, withOverlay } from '#kit/web/feedback/index.ts'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { BulkAnswer } from '#kit/web/list/bulk.tsx'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { levelCalls, type ResultHead } from './levels.contract.ts'

/** What can be done with a result of a level. */
export function useResultActions(id: number, head: ResultHead | undefined) {
  const t = useT('level-results')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { send } = useChange('/control', '/students')
  const may = (key: string) => head?.abilities.includes(key) ?? false
  const whom = { count: head?.students ?? 0, names: [] }
  const title = head ? `${nameOf(head, lang)} · ${nameOf(head.year, lang)}` : ''
  const apply = () =>
    act({
      ask: {
        title: t('ask_apply', { level: title }),
        consequence: t('apply_text', { count: whom.count }),
        action: t('apply'),
        whom,
        heavy: true,
      },
      go: () => send(levelCalls.apply, { body: { id, version: head!.version } }),
      done: ({ data: { students } }) => t('done_apply', { count: students }),
    })
  const announce = () =>
    act({
      ask: { title: t('ask_announce', { level: title }), consequence: t('announce_text'), action: t('announce'), whom },
      go: () => send(levelCalls.announce, { body: { id } }),
      done: ({ data: { students } }) => t('done_announce', { count: students }),
    })
  const again = async () => {
    const { bylaw_id, year_id, level } = head!
    const answer = await act({
      go: () => send(levelCalls.preview, { body: { bylaw_id, year_id, level } }),
      done: () => null,
    })
    if (answer) void navigate(to('/control/levels/:id', { id: answer.data.id }))
  }
  const undo = () =>
    askReason({
      title: t('ask_undo', { level: title }),
      text: t('undo_text'),
      action: t('undo'),
      danger: true,
      whom,
      heavy: true,
      go: async (reason) => {
        await send(levelCalls.undo, { body: { id, reason } })
        notify.done(t('done_undo'))
      },
    })
  /** Of the selected students alone: all of them, or none and why. */
  const undoOf = async (ids: readonly number[], concerned: Concerned): Promise<BulkAnswer> => {
    let done: readonly number[] = []
    await askReason({
      title: t('ask_undo_named', { count: ids.length }),
      text: t('undo_text'),
      action: t('undo'),
      danger: true,
      whom: concerned,
      heavy: true,
      go: async (reason) => {
        await send(levelCalls.undo, { body: { id, reason, student_ids: [...ids] } })
        done = ids
      },
    })
    return { done, failed: [] }
  }
  const sheet = (purpose: 'approval' | 'announcement', format: 'pdf' | 'xlsx') =>
    void withOverlay(
      download(levelCalls.sheet, { params: { id, lang: paperLanguageOf() }, body: { purpose, format } }),
    ).catch(notify.error)
  const main = may('apply')
    ? { label: t('apply'), icon: <IconCheck size={16} aria-hidden />, run: apply }
    : may('announce')
      ? { label: t('announce'), icon: <IconSpeakerphone size={16} aria-hidden />, run: announce }
      : null
  return { title, may, main, again, undo, undoOf, sheet }
}
export type ResultActions = ReturnType<typeof useResultActions>
