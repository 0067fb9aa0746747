import { Status } from '#kit/web/feedback/index.ts'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import css from '../specifications.module.css'
import type { ShownGap } from './matrix.contract.ts'

/** What a specification lacks: what stands against its approval, and what is only told. */
export function Gaps({ gaps }: { readonly gaps: readonly ShownGap[] }) {
  const t = useT('specifications')
  return (
    <ul className={css.gaps}>
      {gaps.map(({ blocks, problem }, i) => (
        <li key={i}>
          <Status is={blocks ? 'unmet' : 'waits'} label={t(blocks ? 'gap_blocks' : 'gap_told')} />
          <span dir="auto">{problemText(problem)}</span>
        </li>
      ))}
    </ul>
  )
}
