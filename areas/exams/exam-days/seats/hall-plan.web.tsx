import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Failed, Status } from '#kit/web/feedback/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { directionOf, formatDate, formatNumber, nameOf, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { hallName } from '../hall.rules.ts'
import { neighboursOf } from './places.rules.ts'
import { seatCalls, type ExamSeat, type HallSitting } from './seats.contract.ts'
import css from '../exam-days.module.css'

/** The hall from above, its front at the top, as wide as the window lets it be. */
export function HallPlan({
  id,
  onClose,
  print,
}: {
  readonly id: number
  readonly onClose: () => void
  readonly print: (one: Pick<HallSitting, 'id'>) => void
}) {
  const t = useT('exam-days')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(seatCalls.plan, { params: { id } })
  const hall = data?.data
  const [looked, setLooked] = useState<number | null>(null)
  const colours = new Map(hall?.courses.map((course, i) => [course, i % 6]))
  const by = new Map(hall?.rows.map((row) => [row.seat, row]))
  const last = Math.max(1, ...(hall?.rows.map((row) => row.seat) ?? []))
  const count = hall ? Math.min(hall.places, Math.ceil(last / hall.across) * hall.across) : 0
  return (
    <Dialog
      opened
      onClose={onClose}
      size="min(76rem, 100%)"
      title={hall ? hallName(nameOf(hall.hall, lang), hall.hall.code) : t('seating_plan')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {error && !hall ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !hall ? (
        <Bone height={300} />
      ) : (
        <Stack gap={10}>
          <p className={css.text}>
            {formatDate(hall.date)} <Code>{`${hall.from}–${hall.to}`}</Code>
            {hall.courses.map((course) => (
              <span key={course} className={css.legend} data-colour={colours.get(course)}>
                <Code>{course}</Code>{' '}
                <bdi>
                  {nameOf(
                    hall.named.find(({ code }) => code === course),
                    lang,
                  )}
                </bdi>
              </span>
            ))}
          </p>
          {hall.proposed > 0 && <Status is="waits" label={t('plan_proposed', { count: hall.proposed })} />}
          <Held of={hall} />
          <Looked at={looked} by={by} places={hall.places} />
          <div className={css.front}>{t('front')}</div>
          <Seats count={count} across={hall.across} by={by} colours={colours} onLook={setLooked} />
          <div className={css.buttons}>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              disabled={!hall.seated}
              onClick={() => print(hall)}
            >
              {t('print_plan')}
            </Button>
          </div>
        </Stack>
      )}
    </Dialog>
  )
}

/** Whether neighbours of a hall write different exams, in a sentence. */
export function Held({ of: one }: { readonly of: Pick<HallSitting, 'courses' | 'same' | 'seated' | 'proposed'> }) {
  const t = useT('exam-days')
  if (one.seated + one.proposed < 2) return null
  if (one.courses.length < 2) return <p className={css.warn}>{t('one_exam_only', { course: one.courses[0] ?? '' })}</p>
  return one.same ? (
    <p className={css.warn}>{t('same_pairs', { count: one.same })}</p>
  ) : (
    <p className={css.text}>{t('none_same')}</p>
  )
}

interface SeatsProps {
  readonly count: number
  readonly across: number
  readonly by: ReadonlyMap<number, ExamSeat>
  readonly colours: ReadonlyMap<string, number>
  readonly onLook: (seat: number) => void
}
/** The seats: one of them is reached by Tab, the others by the arrows. */
function Seats({ count, across, by, colours, onLook }: SeatsProps) {
  const t = useT('exam-days')
  const lang = useLanguage()
  const [reached, setReached] = useState(1)
  const on = directionOf(lang) === 'rtl' ? -1 : 1
  return (
    <div className={css.plan} role="group" aria-label={t('seating_plan')} style={{ ['--across' as string]: across }}>
      {Array.from({ length: count }, (_, i) => {
        const seat = i + 1
        const one = by.get(seat)
        const who = one?.student
          ? `${nameOf(one.student, lang)} · ${one.student.code}`
          : (one?.course ?? t('free_seat'))
        return (
          <button
            key={seat}
            type="button"
            data-seat={seat}
            className={css.seat}
            data-colour={one ? colours.get(one.course) : undefined}
            tabIndex={seat === reached ? 0 : -1}
            aria-label={withHeading(String(seat), one ? `${who} · ${one.course}` : who)}
            onMouseEnter={() => onLook(seat)}
            onFocus={() => {
              setReached(seat)
              onLook(seat)
            }}
            onKeyDown={(event) => {
              const step = { ArrowRight: on, ArrowLeft: -on, ArrowDown: across, ArrowUp: -across }[event.key]
              const next = seat + (step ?? 0)
              if (!step || next < 1 || next > count) return
              event.preventDefault()
              event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-seat="${next}"]`)?.focus()
            }}
          >
            <b>{formatNumber(seat)}</b>
            {one && <small dir="ltr">{one.student?.code ?? one.course}</small>}
          </button>
        )
      })}
    </div>
  )
}

/** The seat that is looked at: who sits there, what is written, and who sits around. */
function Looked({
  at,
  by,
  places,
}: {
  readonly at: number | null
  readonly by: ReadonlyMap<number, ExamSeat>
  readonly places: number
}) {
  const t = useT('exam-days')
  const lang = useLanguage()
  if (at === null) return <p className={css.looked}>{t('look_at_seat')}</p>
  const one = by.get(at)
  const said = (seat: number) => {
    const there = by.get(seat)
    return there
      ? `${formatNumber(seat)} ${there.student ? nameOf(there.student, lang) : ''} (${there.course})`
      : `${formatNumber(seat)} ${t('free_seat')}`
  }
  const around = neighboursOf(at, places)
  return (
    <div className={css.looked} aria-live="polite">
      <strong>
        {t('seat_number', { number: formatNumber(at) })}{' '}
        <bdi>
          {one
            ? one.student
              ? `${nameOf(one.student, lang)} · ${one.student.code}`
              : t('other_part')
            : t('free_seat')}
        </bdi>
      </strong>
      {one && (
        <span>
          <Code>{one.course}</Code>
        </span>
      )}
      {(['beside', 'before', 'behind'] as const).map((side) =>
        around[side].length ? (
          <span
            key={side}
            data-same={(one && around[side].some((seat) => by.get(seat)?.course === one.course)) || undefined}
          >
            {t(`seat_${side}`)}: <bdi>{around[side].map(said).join(' · ')}</bdi>
          </span>
        ) : null,
      )}
    </div>
  )
}
