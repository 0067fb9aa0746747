import { Empty } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import type { AvailableOffering, Requested, WaitRow } from '../requests/request.contract.ts'
import { RegistrationRow, WaitingRow } from './registration-row.web.tsx'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** The meetings that are waited for, as they stand among what can be had. */
const slotsOf = (offerings: readonly AvailableOffering[], { offering_id, offering_slot_ids }: WaitRow) =>
  offerings.find((one) => one.id === offering_id)?.slots.filter(({ id }) => offering_slot_ids.includes(id)) ?? []

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
            <WaitingRow
              key={`w${row.id}`}
              row={row}
              slots={slotsOf(offerings, row)}
              answers={may('accept')}
              onDone={refreshAll}
            />
          ))}
        </ul>
      ) : (
        <Empty title={t('no_courses')} text={t(way ? 'no_courses_text' : 'no_courses_closed')} />
      )}
    </section>
  )
}
