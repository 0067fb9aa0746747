import type { Problem } from '#kit/contract/schema.ts'
import { opens } from '../auth/me.ts'
import { translate } from '../i18n/catalogue.ts'
import { language, useLanguage } from '../i18n/language.ts'
import type { Language } from '../i18n/language.ts'
import { Link } from '../router/index.ts'
import { screenOpenedBy, titleOf } from '../router/screens.ts'
import css from './feedback.module.css'

/** Where the step that unblocks a reason is taken, and what the link there says. */
export interface Step {
  readonly to: string
  readonly text: string
}

/**
 * The screen that a reason names (`data.link`) as the place of the step that unblocks it. Null: it names none, or one that
 * the reader may not open.
 */
export function stepOf(problem: Pick<Problem, 'data'>, l: Language = language()): Step | null {
  const to = problem.data?.link
  if (typeof to !== 'string') return null
  const screen = screenOpenedBy(to)
  if (!screen || !opens(screen)) return null
  return { to, text: translate('kit', 'open_screen', { screen: titleOf(screen, l) }, l) }
}

/** The link to that screen; nothing where there is none for the reader. */
export function StepLink({ problem, onLeave }: { problem: Pick<Problem, 'data'>; onLeave?: () => void }) {
  const step = stepOf(problem, useLanguage())
  return (
    step && (
      <Link className={css.step} to={step.to} onClick={onLeave}>
        {step.text}
      </Link>
    )
  )
}
