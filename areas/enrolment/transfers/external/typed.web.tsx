import { ActionIcon, Autocomplete, Button, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { T } from '#kit/web/i18n/index.ts'
import type { FileCourse } from '../outlets.contract.ts'
import css from '../transfers.module.css'
import type { TypedCourse } from '../equivalence/equivalence.contract.ts'
import { externalCalls } from './external.contract.ts'
import { codeKey } from './external.rules.ts'

/** A course as it is typed; `id`: one that is there. */
export interface Typed {
  readonly key: number
  readonly id?: number
  readonly code: string
  readonly name: string
  readonly name_local: string | null
  readonly credit_hours: number | string
  readonly grade: string
  readonly percent: string
}
const EMPTY: Omit<Typed, 'key'> = { code: '', name: '', name_local: null, credit_hours: 3, grade: '', percent: '' }
export const emptyLine = (lines: readonly Typed[]): Typed => ({
  key: Math.max(-1, ...lines.map((line) => line.key)) + 1,
  ...EMPTY,
})
/** With courses that a file tells of; lines in which nothing stands yet give way. A code that stands there is not added again. */
export const withFound = (lines: readonly Typed[], courses: readonly FileCourse[]): readonly Typed[] => {
  const all: Typed[] = lines.filter((line) => line.code.trim() !== '' || line.name.trim() !== '')
  for (const { code, name, name_local, credit_hours, grade } of courses) {
    if (code !== '' && all.some((line) => codeKey(line.code) === codeKey(code))) continue
    all.push({ ...emptyLine([...lines, ...all]), code, name, name_local, credit_hours, grade: grade ?? '' })
  }
  return all.length ? all : [emptyLine(lines)]
}
/** The inputs of lines that are still empty, by what they are called. */
export const missingIn = (lines: readonly Typed[], t: T<'transfers'>): string[] =>
  lines.flatMap((line, i) => [
    ...(line.code.trim() ? [] : [t('line_code', { n: i + 1 })]),
    ...(line.name.trim() ? [] : [t('line_name', { n: i + 1 })]),
  ])
/** As it is sent. */
export const typedCourses = (lines: readonly Typed[]): TypedCourse[] =>
  lines.map(({ key: _key, id, ...one }) => ({
    ...(id !== undefined && { id }),
    code: one.code.trim(),
    name: one.name.trim(),
    name_local: one.name_local,
    credit_hours: Number(one.credit_hours) || 0,
    grade: one.grade.trim() || null,
    percent: one.percent.trim() || null,
  }))

/**
 * Courses passed elsewhere, a line each. Codes that were entered before of the same university are offered, with name and
 * hours: a course that is called alike is found again when it is decided on.
 */
export function TypedLines({
  lines,
  university,
  faculty,
  least = 1,
  onChange,
}: {
  lines: readonly Typed[]
  university: number | null
  faculty: number | null
  /** So many lines stay. */
  least?: number
  onChange: (lines: readonly Typed[]) => void
}) {
  const t = useT('transfers')
  const lang = useLanguage()
  const known = useCall(
    externalCalls.knownCourses,
    { params: { university_id: university ?? 0 }, query: faculty === null ? {} : { university_faculty_id: faculty } },
    { enabled: university !== null, staleTime: 60_000 },
  )
  const offered = known.data?.data ?? []
  const change = (key: number, part: Partial<Typed>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
  return (
    <>
      <ul className={css.lines}>
        {lines.map((line, i) => (
          <li key={line.key} className={css.inputs}>
            <Autocomplete
              size="xs"
              className={css.code}
              aria-label={t('line_code', { n: i + 1 })}
              placeholder={t('code')}
              maxLength={40}
              comboboxProps={{ width: 320, position: 'bottom-start' }}
              data={offered.map((course) => course.code)}
              filter={({ options, search, limit }) =>
                options
                  .filter((option) => 'value' in option && codeKey(option.value).includes(codeKey(search)))
                  .slice(0, Math.min(limit, 8))
              }
              renderOption={({ option }) => {
                const course = offered.find(({ code }) => code === option.value)
                return (
                  <span>
                    <bdi>{option.value}</bdi> · <bdi>{nameOf(course, lang)}</bdi>
                  </span>
                )
              }}
              value={line.code}
              onChange={(code) => change(line.key, { code })}
              onOptionSubmit={(code) => {
                const course = offered.find((other) => other.code === code)
                if (course)
                  change(line.key, {
                    code,
                    name: line.name || course.name,
                    name_local: line.name_local ?? course.name_local,
                    credit_hours: course.credit_hours,
                  })
              }}
            />
            <TextInput
              size="xs"
              className={css.course}
              dir="auto"
              aria-label={t('line_name', { n: i + 1 })}
              placeholder={t('course_name')}
              maxLength={200}
              value={line.name}
              onChange={(event) => change(line.key, { name: event.currentTarget.value })}
            />
            <NumberInput
              size="xs"
              className={css.small}
              aria-label={t('line_hours', { n: i + 1 })}
              min={0}
              max={60}
              step={0.5}
              decimalScale={2}
              value={line.credit_hours}
              onChange={(value) => change(line.key, { credit_hours: value })}
            />
            <TextInput
              size="xs"
              className={css.small}
              aria-label={t('line_grade', { n: i + 1 })}
              placeholder={t('grade')}
              maxLength={20}
              value={line.grade}
              onChange={(event) => change(line.key, { grade: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              className={css.small}
              inputMode="decimal"
              aria-label={t('line_percent', { n: i + 1 })}
              placeholder="%"
              maxLength={6}
              value={line.percent}
              onChange={(event) => change(line.key, { percent: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              aria-label={t('line_remove', { n: i + 1 })}
              disabled={lines.length <= least}
              onClick={() => onChange(lines.filter((other) => other.key !== line.key))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div className={css.bar}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...lines, emptyLine(lines)])}
        >
          {t('line_add')}
        </Button>
      </div>
    </>
  )
}
