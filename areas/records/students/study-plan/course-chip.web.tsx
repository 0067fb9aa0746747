import { IconCheck, IconCircleDashed, IconCircleOff, IconClock, IconHourglass, IconProgress } from '@tabler/icons-react'
import type { Named } from '#kit/web/i18n/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from './audit.module.css'
import type { AuditedCourse } from './study-plan.contract.ts'

export type ChipState = 'passed' | 'in_progress' | 'requested' | 'planned' | 'missing' | 'possible' | 'excused'
type Course = Named & { readonly id: number; readonly credit_hours: number }

/** What is known of a course of the student or of the plan. */
export interface Chip {
  readonly course: Course
  /** Where the study plan has it, and what stands against it. */
  readonly plan?: AuditedCourse | undefined
  readonly letter?: string | null
  readonly term?: Named | null
  /** The term in which it is to be taken, from now: 1 is the next. */
  readonly planned?: number | undefined
  /** It was asked for in this term, and is not accepted yet. */
  readonly requested?: Named | undefined
  /** Names of requirements in which it counts, and of others in which it could. */
  readonly counts: readonly CoursePlace[]
  readonly could: readonly CoursePlace[]
  readonly taken: boolean
}
/** A requirement by its key. */
export type CoursePlace = Named & { readonly key: string }

const ICONS = {
  passed: IconCheck,
  in_progress: IconProgress,
  requested: IconHourglass,
  planned: IconClock,
  missing: IconCircleDashed,
  possible: IconCircleDashed,
  excused: IconCircleOff,
}

/** A course with where it stands: a shape and a colour beside its code, the whole in words for who hears it. */
export function CourseChip({
  chip,
  course,
  state,
  by,
  onOpen,
}: {
  chip: Chip | undefined
  course: Course
  state: ChipState
  by?: 'settle' | 'substitute' | undefined
  onOpen: () => void
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const open = state === 'missing' || state === 'possible' || state === 'planned'
  const shown: ChipState = open && chip?.requested ? 'requested' : open && chip?.planned ? 'planned' : state
  const Icon = ICONS[shown]
  return (
    <button
      type="button"
      className={css.chip}
      data-state={shown}
      title={nameOf(course, lang)}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <Icon size={14} aria-hidden />
      <bdi dir="ltr">{course.code}</bdi>
      {/* On a phone there is room for it, and no pointer that could ask for the title. */}
      <bdi className={css.chipName} aria-hidden>
        {nameOf(course, lang)}
      </bdi>
      {chip?.letter && <bdi className={css.letter}>{chip.letter}</bdi>}
      {by && <span className={css.byHand}>{t(`by_hand_${by}`)}</span>}
      <span className={css.hidden}>
        {nameOf(course, lang)}, {t(`chip_${shown}`)}
      </span>
    </button>
  )
}
