import { memo } from 'react'
import { IconGripVertical, IconLock } from '@tabler/icons-react'
import { formatNumber, nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import { boardCss } from '#kit/web/timetable/board.tsx'
import type { useDrag } from '#kit/web/timetable/drag.ts'
import type { Exam } from './use-exam-board.web.ts'
import css from './board.module.css'

const sizeOf = (students: number) =>
  students >= 250 ? 'huge' : students >= 120 ? 'large' : students >= 50 ? 'medium' : 'small'

interface CardProps {
  readonly exam: Exam
  readonly movable: boolean
  readonly picked: boolean
  readonly lifted: boolean
  readonly clash: boolean
  /** A proposed plan puts it here. */
  readonly moved: boolean
  /** The colour of its faculty. */
  readonly hue: number
  /** Whether it is one of those that are looked for; null: none are. */
  readonly found: boolean | null
  readonly handle: ReturnType<ReturnType<typeof useDrag>['handle']>
  readonly onPick: (id: number) => void
}
const same = (a: CardProps, b: CardProps): boolean =>
  a.exam === b.exam &&
  a.movable === b.movable &&
  a.picked === b.picked &&
  a.lifted === b.lifted &&
  a.clash === b.clash &&
  a.moved === b.moved &&
  a.hue === b.hue &&
  a.found === b.found &&
  // While a card is in the hand its handlers are those of now.
  !a.lifted &&
  !b.lifted &&
  !a.picked &&
  !b.picked

/** An exam on the board: its course and how many sit it. */
export const ExamCard = memo(function Card(props: CardProps) {
  const { exam, movable, picked, lifted, clash, moved, hue, found, handle, onPick } = props
  const lang = useLanguage()
  const [course] = exam.name.split(' (')
  return (
    <button
      type="button"
      className={`${boardCss.card} ${css.card}`}
      data-exam={exam.id}
      data-size={sizeOf(exam.students.length)}
      data-hue={hue}
      data-movable={movable || undefined}
      data-locked={exam.is_locked || undefined}
      data-lifted={lifted || undefined}
      data-clash={clash || undefined}
      data-moved={moved || undefined}
      data-found={found || undefined}
      data-dim={found === false || undefined}
      aria-current={picked}
      title={`${exam.name} ${nameOf(exam.course, lang)}`}
      onClick={() => onPick(exam.id)}
      {...handle}
    >
      {exam.is_locked ? (
        <IconLock size={11} aria-hidden />
      ) : (
        <span className={boardCss.grip} data-grip aria-hidden="true">
          <IconGripVertical size={12} />
        </span>
      )}
      {/* Of several offerings of a course the number tells which; it is in the title and in the strip above. */}
      <bdi>
        {course}
        <span className="sr">{exam.name.slice(course!.length)}</span>
      </bdi>
      <small>{formatNumber(exam.students.length)}</small>
    </button>
  )
}, same)
