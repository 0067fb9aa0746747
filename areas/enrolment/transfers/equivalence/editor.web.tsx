import { ActionIcon, Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { latinDigits } from '#kit/web/fields/digits.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { decimalAsWritten, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from '../transfers.module.css'
import { EQUIVALENCE_STATES } from './equivalence.contract.ts'
import type { Equivalence, EquivalenceGrades } from './equivalence.contract.ts'
import { isDraftChanged, type EquivalenceDraft, type DraftCourse } from './draft.web.ts'

interface ProgramCourse {
  readonly id: number
  readonly code?: string | null | undefined
  readonly name: string
  readonly name_local?: string | null | undefined
  readonly credit_hours: number
  readonly maximum: number
}

/** One course of theirs, as it was passed. */
function Theirs({ line }: { line: Equivalence }) {
  const t = useT('transfers')
  return (
    <div className={css.side}>
      <span className={css.name}>
        <Name row={line.source} />
        <small>
          <Code>{line.source.code}</Code>
        </small>
      </span>
      <span className={css.figures}>
        {t('hours', { hours: formatNumber(line.source.credit_hours) })}
        {line.source.grade && (
          <>
            {' · '}
            <Code>{line.source.grade}</Code>
          </>
        )}
      </span>
    </div>
  )
}

/** What it counts as, for who only reads. */
function Ours({
  line,
  lines,
  grades,
}: {
  line: Equivalence
  lines: readonly Equivalence[]
  grades: EquivalenceGrades
}) {
  const t = useT('transfers')
  const say = useLabel()
  const lang = useLanguage()
  const together = lines.find((one) => one.id === line.joined_to)
  const counts = [line, ...line.more].flatMap((one) => (one.course ? [{ ...one, course: one.course }] : []))
  if (!counts.length)
    return (
      <div className={css.side}>
        <small>
          {together
            ? t('together_with', { course: together.source.code })
            : say(EQUIVALENCE_STATES.find((equivalenceState) => equivalenceState.value === line.state)!.label)}
        </small>
      </div>
    )
  return (
    <div className={css.side}>
      {counts.map((count, i) => {
        const rating = grades.scale.find((grade) => grade.letter === count.letter)
        return (
          <div key={count.course.id} className={css.counted}>
            <span className={css.name}>
              <Name row={count.course} />
              <small>
                <Code>{count.course.code}</Code>
                {i === 0 && <> · {t(`origin_${line.origin}`)}</>}
              </small>
            </span>
            <span className={css.figures}>
              {t('hours', { hours: formatNumber(count.credit_hours ?? 0) })}
              {' · '}
              {count.mark !== null ? (
                <>
                  <Code>{`${decimalAsWritten(String(Number(count.mark)))} / ${count.maximum}`}</Code>{' '}
                  <bdi>{rating ? nameOf(rating, lang) : count.letter}</bdi>
                </>
              ) : count.letter ? (
                <Code>{count.letter}</Code>
              ) : (
                t('without_grade')
              )}
              {count.counts_in_gpa && ` · ${t('in_gpa')}`}
            </span>
          </div>
        )
      })}
    </div>
  )
}

const asLine = (id: number) => `line ${id}`

/** With which hours and grade a course of ours counts. */
function Counted({
  one,
  course,
  name,
  grades,
  onChange,
}: {
  one: DraftCourse
  course: ProgramCourse | undefined
  /** Code of their course. */
  name: string
  grades: EquivalenceGrades
  onChange: (part: Partial<DraftCourse>) => void
}) {
  const t = useT('transfers')
  const lang = useLanguage()
  const share = one.mark && course ? (Number(one.mark) / course.maximum) * 100 : null
  const rating = share === null ? undefined : grades.scale.find((grade) => share >= Number(grade.from_share))
  return (
    <>
      <NumberInput
        className={css.small}
        size="xs"
        aria-label={t('hours_of', { course: name })}
        min={0}
        {...(course && { max: course.credit_hours })}
        step={0.5}
        decimalScale={2}
        value={one.credit_hours ?? ''}
        onChange={(value) => onChange({ credit_hours: typeof value === 'number' ? value : null })}
      />
      {grades.by_marks ? (
        <>
          <TextInput
            className={css.small}
            size="xs"
            aria-label={t('mark_of', { course: name })}
            placeholder={t('without_mark')}
            attributes={{ input: { dir: 'ltr', inputMode: 'decimal' } }}
            value={decimalAsWritten(one.mark ?? '')}
            onChange={(event) => {
              const typed = latinDigits(event.currentTarget.value).replace(',', '.').trim()
              onChange({ mark: typed || null, letter: null, counts_in_gpa: false })
            }}
          />
          <small>
            {course && <Code>{`/ ${course.maximum}`}</Code>} {rating && <bdi>{nameOf(rating, lang)}</bdi>}
          </small>
        </>
      ) : (
        <>
          <Select
            className={css.small}
            size="xs"
            clearable
            aria-label={t('grade_of', { course: name })}
            placeholder={t('without_grade')}
            data={grades.scale.map((grade) => grade.letter)}
            value={one.letter}
            attributes={{ input: { dir: 'ltr' } }}
            onChange={(letter) => onChange({ letter, counts_in_gpa: letter !== null && one.counts_in_gpa })}
          />
          <Checkbox
            size="xs"
            label={t('in_gpa')}
            aria-label={t('in_gpa_of', { course: name })}
            disabled={one.letter === null}
            checked={one.counts_in_gpa}
            onChange={(event) => onChange({ counts_in_gpa: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  )
}

interface Editing {
  readonly lines: readonly Equivalence[]
  readonly drafts: ReadonlyMap<number, EquivalenceDraft>
  readonly courses: readonly ProgramCourse[]
  readonly grades: EquivalenceGrades
  readonly onChange: (draft: EquivalenceDraft) => void
}

/** What a course of theirs counts as, while it is edited: courses of ours, or together with another line. */
function Edited({
  line,
  draft,
  lines,
  drafts,
  courses,
  grades,
  onChange,
}: Editing & { line: Equivalence; draft: EquivalenceDraft }) {
  const t = useT('transfers')
  const lang = useLanguage()
  const byId = useMemo(() => new Map(courses.map((one) => [one.id, one])), [courses])
  const taken = new Set([...drafts.values()].flatMap((one) => one.counts.map((counted) => counted.course_id)))
  const name = line.source.code
  const set = (counts: readonly DraftCourse[]) => {
    onChange({ ...draft, counts, joined_to: null })
    // What counts together with a course that counts as nothing counts as nothing.
    if (!counts.length)
      for (const other of drafts.values()) if (other.joined_to === line.id) onChange({ ...other, joined_to: null })
  }
  const free = (own: number | null) =>
    courses
      .filter((one) => one.id === own || !taken.has(one.id))
      .map((one) => ({ value: String(one.id), label: `${one.code ?? ''} · ${nameOf(one, lang)}` }))
  const fresh = (id: number): DraftCourse => ({
    course_id: id,
    credit_hours: byId.get(id)?.credit_hours ?? null,
    letter: null,
    mark: null,
    counts_in_gpa: false,
  })
  // Who has others that count together with it stands by itself.
  const leads = [...drafts.values()].some((one) => one.joined_to === line.id)
  const others = leads ? [] : lines.filter((one) => one.id !== line.id && drafts.get(one.id)!.counts.length > 0)
  const first = draft.counts[0]
  return (
    <>
      <div className={css.inputs}>
        <Select
          className={css.course}
          size="xs"
          searchable
          clearable
          aria-label={t('counts_as', { course: name })}
          placeholder={t('counts_as_nothing')}
          nothingFoundMessage={t('no_course')}
          data={[
            { group: t('ours'), items: free(first?.course_id ?? null) },
            ...(others.length
              ? [
                  {
                    group: t('together'),
                    items: others.map((one) => ({
                      value: asLine(one.id),
                      label: t('together_with', { course: one.source.code }),
                    })),
                  },
                ]
              : []),
          ]}
          value={draft.joined_to !== null ? asLine(draft.joined_to) : first ? String(first.course_id) : null}
          onChange={(value) => {
            if (value?.startsWith('line '))
              onChange({ ...draft, counts: [], joined_to: Number(value.slice('line '.length)) })
            else if (value === null) set([])
            else
              set([
                { ...(first ?? fresh(Number(value))), ...fresh(Number(value)), letter: first?.letter ?? null },
                ...draft.counts.slice(1),
              ])
          }}
        />
        {first && (
          <Counted
            one={first}
            course={byId.get(first.course_id)}
            name={name}
            grades={grades}
            onChange={(part) => set([{ ...first, ...part }, ...draft.counts.slice(1)])}
          />
        )}
      </div>
      {draft.counts.slice(1).map((one, i) => {
        const replace = (by: readonly DraftCourse[]) =>
          set([...draft.counts.slice(0, i + 1), ...by, ...draft.counts.slice(i + 2)])
        return (
          <div key={one.course_id} className={css.inputs}>
            <Select
              className={css.course}
              size="xs"
              searchable
              allowDeselect={false}
              aria-label={t('counts_also_as', { course: name, n: i + 2 })}
              nothingFoundMessage={t('no_course')}
              data={free(one.course_id)}
              value={String(one.course_id)}
              onChange={(value) => value !== null && replace([{ ...fresh(Number(value)), letter: one.letter }])}
            />
            <Counted
              one={one}
              course={byId.get(one.course_id)}
              name={`${name} ${i + 2}`}
              grades={grades}
              onChange={(part) => replace([{ ...one, ...part }])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('counts_no_more', { course: byId.get(one.course_id)?.code ?? '' })}
              onClick={() => replace([])}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      {first && draft.counts.length < 6 && (
        <Select
          className={css.further}
          size="xs"
          searchable
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={t('also_of', { course: name })}
          placeholder={t('also')}
          nothingFoundMessage={t('no_course')}
          data={free(null)}
          value={null}
          onChange={(value) =>
            value !== null && set([...draft.counts, { ...fresh(Number(value)), letter: first.letter }])
          }
        />
      )}
    </>
  )
}

/**
 * Their courses and ours beside each other, with lines between: thin while only proposed, strong once decided. Several of
 * theirs count together as one of ours, one of theirs as several. Everything is done with the keyboard; on a phone each pair
 * stands below each other.
 */
export function Equivalences({
  lines,
  grades,
  ...editing
}: { lines: readonly Equivalence[]; grades: EquivalenceGrades } & (
  | { drafts?: never }
  | Omit<Editing, 'lines' | 'grades'>
)) {
  const t = useT('transfers')
  return (
    <>
      <div className={css.heads} aria-hidden>
        <span>{t('theirs')}</span>
        <span>{t('ours')}</span>
      </div>
      <ul className={css.lines} aria-label={t('equivalence')}>
        {lines.map((line) => {
          const draft = editing.drafts?.get(line.id)
          if (!draft || !editing.drafts)
            return (
              <li key={line.id} className={css.pair} data-state={line.state}>
                <Theirs line={line} />
                <span className={css.link} aria-hidden />
                <Ours line={line} lines={lines} grades={grades} />
              </li>
            )
          const changed = isDraftChanged(line, draft)
          const nothing = !draft.counts.length && draft.joined_to === null
          return (
            <li
              key={line.id}
              className={css.pair}
              data-state={nothing ? 'none' : changed ? 'proposed' : line.state}
              data-changed={changed || undefined}
            >
              <Theirs line={line} />
              <span className={css.link} aria-hidden />
              <div className={css.side}>
                <Edited {...editing} lines={lines} grades={grades} line={line} draft={draft} />
                {!changed && !nothing && <small>{t(`origin_${line.origin}`)}</small>}
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
