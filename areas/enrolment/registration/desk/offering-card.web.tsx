import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { overridableCodes } from '../registration.rules.ts'
import { alternativesByGroup } from '../requests/choice.rules.ts'
import type { AvailableOffering, SlotRow } from '../requests/request.contract.ts'
import { choosable, chooseWay, clashesWith, hasSeats, type CourseInWeek } from './choice.web.ts'
import deskCss from './desk.module.css'
import css from './offering-card.module.css'
import { StateBadge, When, unblockingStepOf } from './parts.web.tsx'

/** An offering that can be had, or cannot and why; opened, its groups with the ways to attend each. */
export function OfferingCard({
  offering,
  chosen,
  waited,
  busy,
  studentId,
  open: mayAsk,
  overQuota,
  mayOverride,
  onChoose,
  send,
}: {
  offering: AvailableOffering
  chosen: readonly number[] | undefined
  /** The meetings for which the student waits. */
  waited: readonly number[] | undefined
  busy: readonly CourseInWeek[]
  studentId: number | null
  open: boolean
  overQuota: boolean
  mayOverride: boolean
  onChoose: (slots: readonly number[] | null) => void
  /** Sends all that is chosen. */
  send: ReactNode
}) {
  const t = useT('registration')
  const [open, setOpen] = useState(false)
  const { course, refusals, registration } = offering
  // Asking to improve a grade is what answers "already passed".
  const against = refusals.filter((reason) => reason.code !== 'already_registered' && reason.code !== 'stage_closed')
  const improvable = against.length > 0 && against.every((reason) => reason.code === 'already_passed')
  const possible =
    !against.length || improvable || (mayOverride && against.every((reason) => overridableCodes.has(reason.code)))
  const free = freeSeats(offering)
  return (
    <article
      id={`offering-${offering.id}`}
      className={css.card}
      data-chosen={chosen !== undefined || undefined}
      data-open={open || undefined}
    >
      <button type="button" className={css.cardHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={css.cardTitle}>
          <span>
            <Code className={deskCss.code}>{course.code}</Code> <Name row={course} />
          </span>
          <small className={deskCss.dim}>
            {t('hours', { count: course.credit_hours })}
            {offering.instructors[0] && (
              <>
                {' · '}
                <Name row={offering.instructors[0]} />
              </>
            )}
            {offering.plan && offering.plan.kind !== 'mandatory' && (
              <>
                {' · '}
                {offering.plan.pool ? <Name row={offering.plan.pool} /> : t(`kind_${offering.plan.kind}`)}
              </>
            )}
          </small>
        </span>
        <span className={css.cardState}>
          {registration ? (
            <StateBadge state={registration.state} />
          ) : offering.wait_position !== null ? (
            <Status is="queued" label={t('place_in_queue', { position: offering.wait_position })} />
          ) : chosen ? (
            <Status is="chosen" label={t('chosen_word')} />
          ) : against.length ? (
            <Status
              is={improvable ? 'passed' : 'unmet'}
              label={improvable ? t('passed_word') : t('reasons', { count: against.length })}
            />
          ) : free === 0 ? (
            <Status is="full" label={t('full')} />
          ) : (
            <span className={css.seatsLeft}>{t('seats_left', { count: free })}</span>
          )}
          <IconChevronDown size={16} aria-hidden className={css.chevron} />
        </span>
      </button>
      {open && (
        <div className={css.cardBody}>
          {against.length > 0 && (
            <ul className={css.reasons}>
              {against.map((reason, i) => (
                <li key={i} dir="auto">
                  {problemText(reason)} {unblockingStepOf(reason, studentId)}
                </li>
              ))}
            </ul>
          )}
          {offering.slots.length === 0 ? (
            <p className={deskCss.dim}>{t('no_groups')}</p>
          ) : (
            <Groups
              offering={offering}
              chosen={chosen}
              marked={waited && { slots: waited, label: t('waited_group') }}
              busy={busy}
              overQuota={overQuota}
              mayClash={mayOverride}
              disabled={registration !== null || !possible || !mayAsk}
              onChoose={onChoose}
            />
          )}
          {chosen && !hasSeats(offering, chosen, overQuota) && offering.wait_position === null && (
            <p className={css.queue}>{t('full_text', { count: offering.waiting })}</p>
          )}
          {chosen && (
            <div className={css.ends}>
              {send}
              <Button size="xs" variant="default" onClick={() => onChoose(null)}>
                {t('take_out')}
              </Button>
            </div>
          )}
        </div>
      )}
    </article>
  )
}

/** Seats of the offering: of each group the scarcest type counts, of a type all its alternatives together. */
function freeSeats(offering: Pick<AvailableOffering, 'slots'>): number {
  let sum = 0
  for (const ways of alternativesByGroup(offering.slots).values()) {
    const types = Map.groupBy(ways, (way) => way.type)
    sum += Math.min(
      ...[...types.values()].map((of) => of.reduce((n, way) => n + Math.min(...way.slots.map((slot) => slot.free)), 0)),
    )
  }
  return sum
}

/** Groups of an offering: each way to attend a type is a button; choosing one completes the choice within its group. */
export function Groups({
  offering,
  chosen,
  marked,
  busy,
  overQuota,
  mayClash,
  disabled,
  onChoose,
}: {
  offering: Pick<AvailableOffering, 'id' | 'slots'>
  chosen: readonly number[] | undefined
  /** Meetings that stand out whatever is chosen: those of now, those that are waited for. */
  marked?: { readonly slots: readonly number[]; readonly label: string } | undefined
  busy: readonly CourseInWeek[]
  overQuota: boolean
  /** Whoever may set the rule aside can choose what clashes. */
  mayClash: boolean
  disabled: boolean
  onChoose: (slots: readonly number[]) => void
}) {
  const t = useT('registration')
  const lang = useLanguage()
  const groups = [...alternativesByGroup(offering.slots)]
  return (
    <div className={css.groups}>
      {groups.map(([group_id, ways]) => {
        const first = ways[0]!.slots[0]!
        const fits = (slots: readonly SlotRow[]) => clashesWith(slots, busy, offering.id).length === 0
        // Where no way to attend one type fits the week, the whole group cannot be had.
        const fitting = [...Map.groupBy(ways, (way) => way.type).values()].every((of) =>
          of.some((way) => fits(way.slots)),
        )
        return (
          <fieldset
            key={group_id}
            className={css.group}
            data-chosen={
              chosen?.some((id) => ways.some((way) => way.slots.some((slot) => slot.id === id))) || undefined
            }
          >
            <legend>{first.group_name ? <bdi>{first.group_name}</bdi> : t('group', { number: first.group })}</legend>
            {ways.map((way) => {
              const ids = way.slots.map((slot) => slot.id)
              const picked = chosen !== undefined && ids.every((id) => chosen.includes(id))
              const free = Math.min(...way.slots.map((slot) => choosable(slot, overQuota).free))
              const clashes = clashesWith(way.slots, busy, offering.id)
              return (
                <button
                  key={ids.join()}
                  type="button"
                  className={css.way}
                  aria-pressed={picked}
                  disabled={disabled || ((clashes.length > 0 || !fitting) && !picked && !mayClash)}
                  onClick={() => onChoose(chooseWay(offering, chosen ?? [], way.slots, overQuota, fits))}
                >
                  <MeetingType {...way.slots[0]!} />
                  <span className={css.whens}>
                    {way.slots.map((slot) => (
                      <When key={slot.id} slot={slot} />
                    ))}
                    {teachers(way.slots, lang)}
                    {marked && ids.some((id) => marked.slots.includes(id)) && (
                      <Status is="chosen" label={marked.label} />
                    )}
                    {clashes.length > 0 && (
                      <span className={css.clash}>{t('clashes_with', { courses: clashes.join(', ') })}</span>
                    )}
                  </span>
                  <span className={css.left} data-full={free === 0 || undefined}>
                    {free === 0 ? t('full') : <Code>{formatNumber(free)}</Code>}
                    {free > 0 && <small className={deskCss.dim}>{t('left')}</small>}
                  </span>
                </button>
              )
            })}
          </fieldset>
        )
      })}
    </div>
  )
}

function teachers(slots: readonly SlotRow[], lang: string) {
  const people = [...new Map(slots.flatMap((slot) => slot.instructors.map((one) => [one.id, one]))).values()]
  if (!people.length) return null
  return (
    <small className={deskCss.dim} key={lang}>
      {people.map((one, i) => (
        <span key={one.id}>
          {i > 0 && ', '}
          <Name row={one} />
        </span>
      ))}
    </small>
  )
}
