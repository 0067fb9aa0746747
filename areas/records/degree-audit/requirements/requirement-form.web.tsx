import { Button, Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { decimalText } from '#kit/web/fields/digits.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { losesParts, ofKind } from './edit.rules.ts'
import css from './requirements.module.css'
import { SelectorsInput, type SelectorNames } from './selectors.web.tsx'
import type { Requirement, RequirementKind } from './tree.rules.ts'

const KINDS: readonly RequirementKind[] = ['courses', 'all', 'some', 'sum', 'total', 'gpa', 'training', 'hand']

/** An amount as it is typed, also in Arabic digits; what is none is marked and not taken. */
function Amount({
  label,
  value,
  onChange,
  optional,
  whole,
  max = 1000,
  description,
}: {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
  optional?: boolean
  whole?: boolean
  max?: number
  description?: string
}) {
  const t = useT('degree-audit')
  const [typed, setTyped] = useState<string | null>(null)
  const read = (text: string): number | undefined | null => {
    if (!text.trim()) return optional ? undefined : null
    const plain = decimalText(text)
    if (plain === null || !(whole ? /^\d+$/ : /^\d+(\.\d{1,2})?$/).test(plain) || Number(plain) > max) return null
    return Number(plain)
  }
  const wrong = typed !== null && read(typed) === null
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      attributes={{ input: { dir: 'ltr' } }}
      value={typed ?? (value === undefined ? '' : String(value))}
      error={wrong ? t('amount_wrong', { max }) : undefined}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const amount = read(text)
        if (amount !== null) onChange(amount)
      }}
      onBlur={() => !wrong && setTyped(null)}
    />
  )
}

/** Everything of one requirement but its parts, changed in place. */
export function RequirementForm({
  one,
  root,
  onChange,
  onDone,
  choices,
}: {
  one: Requirement
  /** The tree itself: it counts in nothing. */
  root: boolean
  /** `field`: what was changed, so that letters typed one after the other are undone together. */
  onChange: (next: Requirement, field: string) => void
  onDone: () => void
  choices: SelectorNames
}) {
  const t = useT('degree-audit')
  const id = useId()
  const set = (field: string, value: unknown) => {
    const { [field]: _old, ...rest } = one as unknown as Record<string, unknown>
    onChange((value === undefined ? rest : { ...rest, [field]: value }) as unknown as Requirement, field)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape anywhere in it leads back to the line
    <section
      className={css.form}
      aria-labelledby={id}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape' && !event.defaultPrevented) onDone()
      }}
    >
      <span id={id} className={css.hidden}>
        {t('edit_requirement')}
      </span>
      <Select
        label={t('kind')}
        allowDeselect={false}
        value={one.kind}
        // What would lose its parts is taken apart first.
        data={KINDS.map((kind) => ({ value: kind, label: t(`kind_${kind}`), disabled: losesParts(one, kind) }))}
        onChange={(kind) => kind && onChange(ofKind(one, kind), 'kind')}
        data-autofocus
      />
      <TextInput
        label={t('name_en')}
        lang="en"
        attributes={{ input: { dir: 'ltr' } }}
        maxLength={200}
        value={one.name}
        error={one.name.trim() ? undefined : t('name_needed')}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        label={t('name_ar')}
        lang="ar"
        attributes={{ input: { dir: 'rtl' } }}
        maxLength={200}
        value={one.name_local}
        error={one.name_local.trim() ? undefined : t('name_needed')}
        onChange={(event) => set('name_local', event.currentTarget.value)}
      />
      <KindFields one={one} root={root} set={set} choices={choices} />
      <TextInput
        label={t('note_en')}
        maxLength={2000}
        value={one.note ?? ''}
        onChange={(event) => set('note', event.currentTarget.value || undefined)}
      />
      <TextInput
        label={t('note_ar')}
        maxLength={2000}
        attributes={{ input: { dir: 'rtl' } }}
        value={one.note_local ?? ''}
        onChange={(event) => set('note_local', event.currentTarget.value || undefined)}
      />
      <div className={css.wide}>
        <Button variant="default" onClick={onDone}>
          {t('done')}
        </Button>
      </div>
    </section>
  )
}

/** What a requirement of its kind asks for, and what it counts at most. */
function KindFields({
  one,
  root,
  set,
  choices,
}: {
  one: Requirement
  root: boolean
  set: (field: string, value: unknown) => void
  choices: SelectorNames
}) {
  const t = useT('degree-audit')
  const others = {
    ...choices,
    requirements: choices.requirements.filter((other) => other.key !== one.key && 'from' in other),
  }
  return (
    <>
      {'unit' in one && (
        <div>
          <div className={css.label}>{t('unit')}</div>
          <SegmentedControl
            fullWidth
            value={one.unit}
            aria-label={t('unit')}
            onChange={(unit) => set('unit', unit)}
            data={[
              { value: 'hours', label: t('unit_hours') },
              { value: 'courses', label: t('unit_courses') },
            ]}
          />
        </div>
      )}
      {one.kind === 'courses' && (
        <Checkbox
          className={css.check}
          label={t('every_course')}
          checked={one.min === 'all'}
          onChange={(event) => set('min', event.currentTarget.checked ? 'all' : 1)}
        />
      )}
      {'min' in one && one.min !== 'all' && (
        <Amount
          label={t(one.kind === 'gpa' ? 'min_gpa' : one.kind === 'training' ? 'min_weeks' : 'at_least')}
          value={one.min}
          whole={
            one.kind === 'training' ||
            ('unit' in one && one.unit === 'courses') ||
            (one.kind === 'some' && one.count !== 'amounts')
          }
          max={one.kind === 'gpa' ? 4 : one.kind === 'training' ? 300 : 1000}
          onChange={(min) => set('min', min)}
        />
      )}
      {one.kind === 'total' && (
        <Select
          label={t('total_of')}
          allowDeselect={false}
          value={one.of}
          data={[
            { value: 'counted', label: t('total_counted') },
            { value: 'passed', label: t('total_passed') },
          ]}
          onChange={(of) => set('of', of)}
        />
      )}
      {(one.kind === 'courses' || one.kind === 'gpa') && (
        <SelectorsInput
          label={t(one.kind === 'gpa' ? 'gpa_of' : 'from')}
          value={one.from ?? []}
          onChange={(from) => set('from', one.kind === 'gpa' && !from.length ? undefined : from)}
          choices={others}
        />
      )}
      {one.kind === 'courses' && (
        <>
          <SelectorsInput
            label={t('except')}
            value={one.except ?? []}
            onChange={(except) => set('except', except.length ? except : undefined)}
            choices={others}
          />
          <Amount
            label={t('min_points')}
            optional
            max={4}
            value={one.min_points}
            onChange={(points) => set('min_points', points)}
          />
        </>
      )}
      {!root && one.kind !== 'gpa' && one.kind !== 'training' && one.kind !== 'hand' && (
        <Amount label={t('max_counted')} optional value={one.max_counted} onChange={(max) => set('max_counted', max)} />
      )}
      {!root && (
        <Amount
          label={t('by_semester')}
          optional
          whole
          max={16}
          value={one.by_semester}
          onChange={(semester) => set('by_semester', semester || undefined)}
        />
      )}
      {one.kind === 'courses' && (
        <Checkbox
          className={css.check}
          label={t('sharing')}
          checked={one.sharing ?? false}
          onChange={(event) => set('sharing', event.currentTarget.checked || undefined)}
        />
      )}
      {one.kind === 'hand' && (
        <Checkbox
          className={css.check}
          label={t('only_told')}
          checked={one.optional ?? false}
          onChange={(event) => set('optional', event.currentTarget.checked || undefined)}
        />
      )}
    </>
  )
}
