import { IconAlertTriangle, IconFileUnknown, IconPlugConnectedX } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import type { Problem } from '../api/error.ts'
import { errorText, everyText, problemText, useT } from '../i18n/catalogue.ts'
import { useLanguage } from '../i18n/language.ts'
import css from './feedback.module.css'
import { StepLink } from './step.tsx'

/**
 * A refusal in full: what was refused, and every reason with its value, each with a link to the screen of the step
 * that unblocks it, if the reason names one (`data.link`) and the reader may open it. `stepOf` gives another step.
 * `onLeave` is called when the user follows a link: a dialog outside any screen closes.
 */
export function Problems({
  error,
  title,
  stepOf,
  onLeave,
}: {
  error: unknown
  title?: ReactNode
  stepOf?: (problem: Problem) => ReactNode
  onLeave?: () => void
}) {
  const l = useLanguage()
  const reasons = error instanceof ApiError ? error.errors : []
  const [, setRead] = useState(0)
  // A reason may name kinds of records of any area, whose words are not on this screen.
  const foreign = reasons.some(({ data }) => data && Object.keys(data).some((key) => key.endsWith('_local')))
  useEffect(() => {
    if (foreign) void everyText(l).then(() => setRead((n) => n + 1))
  }, [foreign, l])
  const many = reasons.length > 1
  const heading = title ?? (many || !reasons.length ? errorText(error, l) : null)
  // What the heading says already is not said again.
  const listed = many && !reasons[0]!.data?.link && problemText(reasons[0]!, l) === heading ? reasons.slice(1) : reasons
  return (
    <div className={css.problems} role="alert">
      <IconAlertTriangle size={18} aria-hidden className={css.problemsIcon} />
      <div>
        {heading && <p className={css.problemsTitle}>{heading}</p>}
        {listed.length > 0 && (
          <ul className={css.reasons}>
            {listed.map((reason, i) => (
              <li key={i} dir="auto">
                {problemText(reason, l)} {stepOf?.(reason) ?? <StepLink problem={reason} onLeave={onLeave} />}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** Nothing here: why, and what to do next. */
export function Empty({
  title,
  text,
  action,
  icon,
}: {
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}) {
  return (
    <div className={css.empty}>
      {icon && <div className={css.emptyIcon}>{icon}</div>}
      <p className={css.emptyTitle}>{title}</p>
      {text && <p className={css.emptyText}>{text}</p>}
      {action && <div className={css.emptyAction}>{action}</div>}
    </div>
  )
}

/** Something could not be loaded: what, and a way to try again. */
export function Failed({ error, title, retry }: { error: unknown; title?: string; retry?: () => void }) {
  const t = useT('kit')
  // What is not there will not be there the next time: the way on is back.
  if (error instanceof ApiError && error.status === 404) {
    return (
      <div role="alert">
        <Empty
          icon={<IconFileUnknown size={30} stroke={1.5} aria-hidden />}
          title={errorText(error)}
          text={t('record_gone')}
          action={
            <Button variant="default" onClick={() => window.history.back()}>
              {t('go_back')}
            </Button>
          }
        />
      </div>
    )
  }
  return (
    <div className={css.empty} role="alert">
      <div className={css.emptyIcon}>
        <IconPlugConnectedX size={30} stroke={1.5} aria-hidden />
      </div>
      <p className={css.emptyTitle}>{title ?? errorText(error)}</p>
      {title !== undefined && <p className={css.emptyText}>{errorText(error)}</p>}
      {retry && (
        <div className={css.emptyAction}>
          <Button variant="default" onClick={retry}>
            {t('try_again')}
          </Button>
        </div>
      )}
    </div>
  )
}
