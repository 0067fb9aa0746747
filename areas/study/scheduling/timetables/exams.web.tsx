import { dayOf } from '#kit/contract/day.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, formatTimeRange, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { examWords, type ShownExam } from './exams.contract.ts'
import css from '../office-hours/hours.module.css'

/** The seat of who has one. */
export const seatLine = (
  { seat }: Pick<ShownExam, 'seat'>,
  t: (key: 'seat', values: { number: string }) => string,
): string[] => (seat === null ? [] : [t('seat', { number: formatNumber(seat) })])

/** Exams below a timetable, on their days: those to come first. */
export function Exams({ exams }: { exams: readonly ShownExam[] }) {
  const t = useT('scheduling')
  const say = useLabel()
  const lang = useLanguage()
  const today = dayOf()
  if (!exams.length) return null
  const isOver = ({ on_date }: ShownExam) => on_date < today
  return (
    <section className={css.hours}>
      <h2>{t('exams')}</h2>
      <ul>
        {[...exams.filter((exam) => !isOver(exam)), ...exams.filter(isOver)].map((one) => (
          <li key={`${one.id} ${one.as}`} data-over={isOver(one) || undefined}>
            <span>
              {formatDate(one.on_date, 'weekday', lang)} <Code>{formatTimeRange(one.from, one.to)}</Code>
            </span>
            <span>
              <bdi>{nameOf(one.course, lang)}</bdi> <Code>{one.course.code}</Code> · {say(examWords(one))}
            </span>
            <span>
              {[...one.halls.map((hall) => nameOf(hall, lang)), ...seatLine(one, t)].join(' · ') || t('hall_to_come')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
