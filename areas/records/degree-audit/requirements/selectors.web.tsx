import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useT, type Named } from '#kit/web/i18n/index.ts'
import css from './requirements.module.css'
import { nameKey, useSentences, type Names } from './sentences.web.ts'
import type { Requirement, Selector } from './tree.rules.ts'

/** What is chosen from: names that are known, pools of the program, the other requirements, and how a new name is noted. */
export interface SelectorNames {
  readonly names: Names
  readonly pools: readonly (Named & { id: number | string })[]
  readonly requirements: readonly Requirement[]
  readonly note: (key: string, name: Named) => void
}

type By = Exclude<Selector['by'], 'both'>
const LOOKED_UP = { course: 'course', tag: 'tag', department: 'department', faculty: 'faculty' } as const
const KINDS: readonly By[] = [
  'course',
  'pool',
  'list',
  'code',
  'level',
  'department',
  'faculty',
  'tag',
  'requirement',
  'any',
]

const byId = (by: keyof typeof LOOKED_UP | 'pool', id: number): Selector =>
  ({ by, [`${by}_id`]: id }) as unknown as Selector

/** A list of selectors: each with what narrows it, and a line to add another. */
export function SelectorsInput({
  label,
  value,
  onChange,
  choices,
  disabled,
}: {
  label: string
  value: readonly Selector[]
  onChange: (value: Selector[]) => void
  choices: SelectorNames
  disabled?: boolean | undefined
}) {
  const t = useT('degree-audit')
  const say = useSentences(choices.names)
  const id = useId()
  const [by, setBy] = useState<By>('course')
  /** The selector to which the next is added as what narrows it. */
  const [narrows, setNarrows] = useState<number | null>(null)
  const add = (one: Selector) => {
    if (narrows === null) onChange([...value, one])
    else
      onChange(
        value.map((old, i) =>
          i === narrows
            ? old.by === 'both'
              ? { by: 'both', of: [...old.of, one] }
              : { by: 'both', of: [old, one] }
            : old,
        ),
      )
    setNarrows(null)
  }
  return (
    <section aria-labelledby={id} className={css.wide}>
      <div id={id} className={css.label}>
        {label}
      </div>
      {value.length > 0 && (
        <ul className={css.chosen}>
          {value.map((one, i) => {
            const key = nameKey(one)
            const named = key ? choices.names.get(key) : undefined
            return (
              <li key={i} data-narrows={narrows === i || undefined}>
                <span title={named ? nameOf(named) : undefined}>{say.selector(one)}</span>
                {!disabled && one.by !== 'course' && one.by !== 'requirement' && (
                  <button
                    type="button"
                    className={css.quiet}
                    aria-pressed={narrows === i}
                    onClick={() => setNarrows(narrows === i ? null : i)}
                  >
                    {t('narrow')}
                  </button>
                )}
                {!disabled && (
                  <ActionIcon
                    size={24}
                    variant="subtle"
                    color="gray"
                    aria-label={t('take_out', { name: say.selector(one) })}
                    onClick={() => {
                      setNarrows(null)
                      onChange(value.filter((_, at) => at !== i))
                    }}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {!disabled && (
        <div className={css.adding}>
          <Select
            aria-label={t('choose_by')}
            allowDeselect={false}
            value={by}
            onChange={(next) => next && setBy(next)}
            data={KINDS.filter((kind) => kind !== 'pool' || choices.pools.length > 0).map((kind) => ({
              value: kind,
              label: t(`by_${kind}`),
            }))}
          />
          <Value key={`${by} ${value.length}`} by={by} choices={choices} add={add} />
        </div>
      )}
      {narrows !== null && value[narrows] && (
        <p className={css.dim}>{t('narrowing', { name: say.selector(value[narrows]) })}</p>
      )}
    </section>
  )
}

/** What is chosen by: a record, a pattern, levels. */
function Value({ by, choices, add }: { by: By; choices: SelectorNames; add: (one: Selector) => void }) {
  const t = useT('degree-audit')
  const [text, setText] = useState('')
  const [to, setTo] = useState('')
  const button = (one: Selector | null) => (
    <Button
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      disabled={one === null}
      onClick={() => one && add(one)}
    >
      {t('add')}
    </Button>
  )
  if (by === 'course' || by === 'tag' || by === 'department' || by === 'faculty')
    return (
      <LookupInput
        resource={LOOKED_UP[by]}
        aria-label={t(`by_${by}`)}
        defaultValue={null}
        onChange={(id, option) => {
          if (id === null) return
          if (option) choices.note(`${by}:${id}`, option)
          add(byId(by, id))
        }}
      />
    )
  if (by === 'pool' || by === 'list' || by === 'requirement') {
    const data =
      by === 'pool'
        ? choices.pools.map((pool) => ({ value: String(pool.id), label: nameOf(pool) }))
        : by === 'list'
          ? (['mandatory', 'university', 'faculty'] as const).map((list) => ({
              value: list,
              label: t(`sel_list_${list}`),
            }))
          : choices.requirements.map((one) => ({ value: one.key, label: nameOf(one) || one.key }))
    return (
      <Select
        aria-label={t(`by_${by}`)}
        placeholder={t('choose')}
        searchable
        value={null}
        data={data}
        onChange={(value) => {
          if (value === null) return
          if (by === 'pool') add(byId('pool', Number(value)))
          else if (by === 'list') add({ by: 'list', list: value as 'mandatory' })
          else add({ by: 'requirement', key: value })
        }}
      />
    )
  }
  if (by === 'code') {
    const one: Selector | null = text.trim() ? { by: 'code', pattern: text.trim() } : null
    return (
      <>
        <TextInput
          aria-label={t('pattern')}
          placeholder="CS 3*"
          attributes={{ input: { dir: 'ltr' } }}
          maxLength={30}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !one) return
            event.preventDefault()
            add(one)
          }}
        />
        {button(one)}
      </>
    )
  }
  if (by === 'level') {
    const levels = Array.from({ length: 8 }, (_, i) => String(i))
    const one: Selector | null = text ? { by: 'level', from: Number(text), to: Number(to || text) } : null
    return (
      <>
        <Select
          aria-label={t('level_from')}
          placeholder={t('level_from')}
          data={levels}
          value={text || null}
          onChange={(value) => setText(value ?? '')}
        />
        <Select
          aria-label={t('level_to')}
          placeholder={t('level_to')}
          data={levels}
          value={to || null}
          onChange={(value) => setTo(value ?? '')}
        />
        {button(one)}
      </>
    )
  }
  return button({ by: 'any' })
}
