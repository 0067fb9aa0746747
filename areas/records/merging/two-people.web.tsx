import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { mergeCalls } from './merge.contract.ts'
import type { MergeKind, Merged } from './merge.contract.ts'

type Named = Merged['kept']

/** Says of two records, with a reason, that they are two people's; offers to take it back. Answers whether it was said. */
export function useTwoPeople(kind: MergeKind): (one: Named, other: Named) => Promise<boolean> {
  const t = useT('merging')
  const l = useLanguage()
  const { send } = useChange('/people')
  return async (one, other) => {
    // Two people may well have one name: the code tells which is which.
    const shown = (of: Named) => of.code ?? nameOf(of, l)
    const names = { one: shown(one), other: shown(other) }
    let id: number | undefined
    const reason = await askReason({
      title: t('two_people_title', names),
      text: t('two_people_ask'),
      kept: t('two_people_kept'),
      action: t('two_people'),
      go: async (why: string) => {
        const { data } = await send(mergeCalls.markNotDouble, {
          body: { kind, one_id: one.id, other_id: other.id, reason: why },
        })
        id = data.id
      },
    })
    if (reason === null || id === undefined) return false
    const made = id
    notify.undo(t('two_people_done', names), () => send(mergeCalls.unmarkNotDouble, { params: { id: made } }))
    return true
  }
}
