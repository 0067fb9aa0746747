import { Button } from '@mantine/core'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatList, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Reasons } from './parts.web.tsx'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** What is chosen and not asked for yet, and why it was refused. */
export function ChosenCourses({ desk, phone }: { desk: DeskState; phone: boolean | undefined }) {
  const t = useT('registration')
  const { asked, full, added, refusal, studentId, showGroups, may, ask, choose, clear } = desk
  const { overQuota, setOverQuota } = desk
  return (
    <section
      className={css.choice}
      data-save-bar={phone || undefined}
      id="registration-choice"
      tabIndex={-1}
      aria-labelledby="registration-choice-title"
    >
      <header className={css.panelHead}>
        <h2 id="registration-choice-title">{t('chosen', { count: asked.length })}</h2>
        <span className={css.dim}>+ {t('hours', { count: added.hours })}</span>
      </header>
      {refusal !== null && (
        <Reasons
          error={refusal}
          studentId={studentId}
          onSlots={showGroups}
          onOverride={may('override') ? (overrides) => void ask(overrides) : undefined}
        />
      )}
      <ul className={css.chips}>
        {asked.map((one) => (
          <li key={one.id}>
            <Code>{one.course.code}</Code> <Name row={one.course} />
            <button
              type="button"
              className={css.remove}
              onClick={() => choose(one, null)}
              aria-label={t('remove_choice', { name: nameOf(one.course) })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {full.length > 0 && (
        <p className={css.dim} id="registration-choice-full">
          {t('full_chosen', { courses: formatList(full.map((one) => one.course.code ?? '')) })}
        </p>
      )}
      <div className={css.choiceActions}>
        <SendChosen desk={desk} />
        <Button variant="default" onClick={() => clear()}>
          {t('clear_choice')}
        </Button>
        {may('over_quota') && (
          <label className={css.check}>
            <input
              type="checkbox"
              checked={overQuota}
              onChange={(event) => setOverQuota(event.currentTarget.checked)}
            />{' '}
            {t('use_over_quota')}
          </label>
        )}
      </div>
    </section>
  )
}

/**
 * Sends what is chosen; what is full is waited for. It stands below the chosen courses, and again in the card where one was
 * chosen, one step of the keyboard away.
 */
export function SendChosen({
  desk: { free, full, way, asking, ask, join },
  small,
}: {
  desk: DeskState
  small?: boolean
}) {
  const t = useT('registration')
  const size = small ? 'xs' : undefined
  return (
    <>
      {free.length > 0 && way !== null && (
        <Button size={size} loading={asking} onClick={() => void ask()}>
          {t(way === 'add' ? 'ask_to_add' : way === 'enroll' ? 'enroll_now' : 'send_request_count', {
            count: free.length,
          })}
        </Button>
      )}
      {way === null && !small && <span>{t('no_courses_closed')}</span>}
      {full.length > 0 && (
        <Button
          size={size}
          variant={free.length > 0 ? 'default' : 'filled'}
          loading={asking}
          aria-describedby="registration-choice-full"
          onClick={() => void join()}
        >
          {t('join_queue')}
        </Button>
      )}
    </>
  )
}
