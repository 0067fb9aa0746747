import { ActionIcon, Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { calls } from '#kit/web/auth/index.ts'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { decimalText } from '#kit/web/fields/digits.ts'
import { problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { describe } from '#areas/common/academics/problem.rules.ts'
import { checkRequisite, coursesIn, printRequisite, requisiteTexts, type Requisite } from '../requisites.rules.ts'
import css from '../catalogue.module.css'

/** What is being edited: every node with a key, and courses that are not chosen yet. */
interface Leaf {
  readonly key: number
  readonly course: number | null
  readonly minimum: string
}
interface Several {
  readonly key: number
  readonly kind: 'all' | 'any'
  readonly children: readonly Part[]
}
type Part = Leaf | Several

let last = 0
const key = () => ++last
const toNode = (requisite: Requisite): Part => {
  if ('course' in requisite)
    return { key: key(), course: requisite.course, minimum: requisite.min_grade ?? requisite.min_points ?? '' }
  const kind = 'all' in requisite ? 'all' : 'any'
  return { key: key(), kind, children: ('all' in requisite ? requisite.all : requisite.any).map(toNode) }
}
/** The expression of what is edited; courses not chosen yet and groups without any are left out. */
const toRequisite = (node: Part): Requisite | null => {
  if ('course' in node) {
    if (node.course === null) return null
    const minimum = node.minimum.trim()
    if (!minimum) return { course: node.course }
    const points = decimalText(minimum)
    return points !== null && /^\d/.test(points)
      ? { course: node.course, min_points: points }
      : { course: node.course, min_grade: minimum }
  }
  const children = node.children.flatMap((child) => toRequisite(child) ?? [])
  if (!children.length) return null
  return children.length === 1 ? children[0]! : node.kind === 'all' ? { all: children } : { any: children }
}
const asGroup = (requisite: Requisite | null): Several => {
  const node = requisite ? toNode(requisite) : { key: key(), kind: 'all' as const, children: [] }
  return 'kind' in node ? node : { key: key(), kind: 'all', children: [node] }
}

/** Edits a prerequisite expression: groups of courses, "all of" or "any of", nested, each course with a minimum grade. */
export function RequisiteEditor({
  value,
  onChange,
  disabled,
  self,
}: {
  value: Requisite | null
  onChange: (value: Requisite | null) => void
  disabled?: boolean
  self?: number
}) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const [root, setRoot] = useState(() => asGroup(value))
  const requisite = useMemo(() => toRequisite(root), [root])
  // Codes of the courses, for the sentence beneath.
  const ids = coursesIn(requisite)
  const { data } = useCall(
    calls.lookup,
    { body: { name: 'course', ids, limit: Math.max(1, ids.length) } },
    { enabled: ids.length > 0, staleTime: 60_000, placeholderData: keepPreviousData },
  )
  const codes = new Map(data?.data.map((option) => [Number(option.id), option.code ?? option.name]))
  const problems = requisite ? checkRequisite(requisite) : []
  const naming = requisite !== null && self !== undefined && JSON.stringify(requisite).includes(`"course":${self},`)
  const change = (next: Part) => {
    setRoot(next as Several)
    onChange(toRequisite(next))
  }
  return (
    <Stack>
      <Group node={root} level={1} onChange={change} disabled={disabled} />
      {requisite && ('all' in requisite || 'any' in requisite) && codes.size > 0 && (
        <p className={css.expression}>{printRequisite(requisite, lang, (id) => codes.get(id) ?? '…')}</p>
      )}
      {(problems.length > 0 || naming) && (
        <ul className={css.reasons}>
          {problems.map((problem, i) => (
            <li key={i}>{problemText(describe(problem, requisiteTexts))}</li>
          ))}
          {naming && <li>{t('requisite_self')}</li>}
        </ul>
      )}
    </Stack>
  )
}

interface GroupProps {
  readonly node: Several
  readonly level: number
  readonly onChange: (next: Part) => void
  readonly onRemove?: () => void
  readonly disabled?: boolean
}
function Group({ node, level, onChange, onRemove, disabled }: GroupProps) {
  const t = useT('catalogue')
  const replace = (index: number, child: Part) =>
    onChange({ ...node, children: node.children.map((c, i) => (i === index ? child : c)) })
  const remove = (index: number) => onChange({ ...node, children: node.children.filter((_, i) => i !== index) })
  const add = (child: Part) => onChange({ ...node, children: [...node.children, child] })
  return (
    <fieldset className={css.group} data-kind={node.kind} aria-label={t(node.kind === 'all' ? 'all_of' : 'any_of')}>
      <div className={css.head}>
        <SegmentedControl
          size="xs"
          disabled={disabled}
          value={node.kind}
          onChange={(kind) => onChange({ ...node, kind: kind })}
          data={[
            { value: 'all', label: t('all_of') },
            { value: 'any', label: t('any_of') },
          ]}
        />
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('remove_group')}
            onClick={onRemove}
            disabled={disabled}
          >
            <IconTrash size={15} />
          </ActionIcon>
        )}
      </div>
      {node.children.map((child, i) =>
        'kind' in child ? (
          <Group
            key={child.key}
            node={child}
            level={level + 1}
            onChange={(next) => replace(i, next)}
            onRemove={() => remove(i)}
            disabled={disabled}
          />
        ) : (
          <div className={css.leaf} key={child.key}>
            <LookupInput
              resource="course"
              aria-label={t('course')}
              placeholder={t('choose_course')}
              defaultValue={child.course}
              disabled={disabled}
              onChange={(course) => replace(i, { ...child, course })}
            />
            <TextInput
              aria-label={t('minimum_grade')}
              placeholder={t('minimum_short')}
              defaultValue={child.minimum}
              disabled={disabled}
              maxLength={5}
              attributes={{ input: { dir: 'ltr' } }}
              onChange={(event) => replace(i, { ...child, minimum: event.currentTarget.value })}
            />
            <ActionIcon
              mt={3}
              variant="subtle"
              color="gray"
              aria-label={t('remove_course')}
              onClick={() => remove(i)}
              disabled={disabled}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
        ),
      )}
      {!node.children.length && <span className={css.between}>{t('no_prerequisites')}</span>}
      {!disabled && (
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => add({ key: key(), course: null, minimum: '' })}
          >
            {t('add_course')}
          </Button>
          {level < 7 && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() =>
                add({
                  key: key(),
                  kind: node.kind === 'all' ? 'any' : 'all',
                  children: [{ key: key(), course: null, minimum: '' }],
                })
              }
            >
              {t(node.kind === 'all' ? 'add_any_group' : 'add_all_group')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** The same as a field of a form. */
export const RequisiteInput: FieldInput = ({ label, description, error, defaultValue, onChange, disabled, row }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div id={id} style={{ fontWeight: 500, marginBlockEnd: 4 }}>
        {label}
      </div>
      {description && <div className={css.between}>{description}</div>}
      <RequisiteEditor
        value={(defaultValue ?? null) as Requisite | null}
        onChange={onChange}
        disabled={disabled}
        self={row?.id as number | undefined}
      />
      {error && <div className={css.reasons}>{error}</div>}
    </section>
  )
}
