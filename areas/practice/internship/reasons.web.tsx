import type { Problem } from '#kit/contract/index.ts'
import { problemText } from '#kit/web/i18n/index.ts'
import css from './internship.module.css'

/** ReasonList, one beneath the other. */
export const ReasonList = ({ of }: { of: readonly Problem[] }) => (
  <ul className={css.missing}>
    {of.map((one) => (
      <li key={problemText(one)} dir="auto">
        {problemText(one)}
      </li>
    ))}
  </ul>
)
