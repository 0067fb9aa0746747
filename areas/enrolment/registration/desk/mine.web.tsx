import { Button } from '@mantine/core'
import { Code, Empty, Name } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import type { Requested } from '../requests/request.contract.ts'
import { Reasons } from './parts.web.tsx'
import { RegistrationRow, WaitingRow } from './registration-row.web.tsx'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** What is registered, asked for and waited for. */
export function MyCourses({ desk, requested }: { desk: DeskState; requested: Requested }) {
  const t = useT('registration')
  const { own, offerings, busy, may, way, refreshAll } = desk
  const { student } = requested
  return (
    <section className={css.panel} aria-labelledby="registration-mine">
      <header className={css.panelHead}>
        <h2 id="registration-mine">{t('my_courses')}</h2>
        {requested.registrations.length > 0 && (
          <span className={css.dim}>{t('courses_count', { count: requested.registrations.length })}</span>
        )}
      </header>
      {requested.registrations.length || requested.waiting.length ? (
        <ul className={css.rows}>
          {requested.registrations.map((row) => (
            <RegistrationRow
              key={row.id}
              row={row}
              own={own}
              studentId={student.id}
              offering={offerings.find((one) => one.id === row.offering_id)}
              offerings={offerings}
              waiting={requested.waiting.find((one) => one.gives_up?.registration_id === row.id)}
              busy={busy}
              mayOverride={may('override')}
              onDone={refreshAll}
            />
          ))}
          {requested.waiting.map((row) => (
            <WaitingRow key={`w${row.id}`} row={row} answers={may('accept')} onDone={refreshAll} />
          ))}
        </ul>
      ) : (
        <Empty title={t('no_courses')} text={t(way ? 'no_courses_text' : 'no_courses_closed')} />
      )}
    </section>
  )
}

/** What is chosen and not asked for yet, and why it was refused. */
export function Choice({ desk, phone }: { desk: DeskState; phone: boolean | undefined }) {
  const t = useT('registration')
  const { asked, added, refusal, studentId, showGroups, may, ask, asking, way, choose, clear } = desk
  const { overQuota, setOverQuota } = desk
  if (!asked.length) return null
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
              aria-label={t('remove_choice', { name: one.course.code ?? '' })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className={css.choiceActions}>
        <Button loading={asking} onClick={() => void ask()} disabled={way === null}>
          {t(way === 'add' ? 'ask_to_add' : way === 'enroll' ? 'enroll_now' : 'send_request_count', {
            count: asked.length,
          })}
        </Button>
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
