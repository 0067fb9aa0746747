/** A part of the settings of a bylaw, with the inputs it is made of. All parts are saved together. */
import { Checkbox, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { createContext, use, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Label } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { latinDigits } from '#kit/web/fields/digits.ts'
import { decimalAsWritten, problemText, useLabel } from '#kit/web/i18n/index.ts'
import { useLocation } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { describe } from '#areas/common/academics/problem.rules.ts'
import css from '../catalogue.module.css'
import { changedSettings } from './changed.rules.ts'
import { typeInto, useDraftOf } from './draft.web.ts'
import { bylawCalls, type BylawSettingsAnswer, type Settings } from './settings.contract.ts'
import { checkBylawSettings, settingsTexts } from './settings.rules.ts'
import { anchorOf } from './where.rules.ts'

export const useSettings = (id: number) => useCall(bylawCalls.settings, { params: { id } })
type Told = ReturnType<typeof checkBylawSettings>[number]
const told = (problem: Told): string => problemText(describe(problem, settingsTexts))

interface Editing {
  readonly id: number
  readonly saved: BylawSettingsAnswer
  readonly editable: boolean
}
const EditingContext = createContext<Editing | null>(null)

/** Loads the settings for the sections inside. */
export function SettingsOf({ id, children }: { id: number; children: (settings: BylawSettingsAnswer) => ReactNode }) {
  const { data, error, refetch } = useSettings(id)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  return (
    <EditingContext value={{ id, saved: data.data, editable: data.data.abilities.includes('edit_settings') }}>
      <Stack>{children(data.data)}</Stack>
    </EditingContext>
  )
}

interface Draft<K extends keyof Settings> {
  readonly value: Pick<Settings, K>
  /** null: may only be read. */
  readonly set: ((patch: Partial<Pick<Settings, K>>) => void) | null
  /** What is wrong with a field, by its name on the wire. */
  readonly problem: (field: string) => string | undefined
}

/** Some settings under one heading: checked while somebody types. */
export function Section<K extends keyof Settings>({
  title,
  text,
  keys,
  children,
}: {
  title: Label
  text?: Label
  keys: readonly K[]
  children: (draft: Draft<K>) => ReactNode
}) {
  const say = useLabel()
  const { id, saved, editable } = use(EditingContext)!
  const typed = useDraftOf(id)
  const anchor = anchorOf(title)
  const { hash, key } = useLocation()
  const place = useRef<HTMLDivElement>(null)
  // A link to it leads there, also from another tab.
  useEffect(() => {
    if (hash !== `#${anchor}` || key === '') return
    place.current?.scrollIntoView({ block: 'start' })
    place.current?.focus({ preventScroll: true })
  }, [hash, anchor, key])
  const stored = Object.fromEntries(
    keys.map((key) => [key, saved[key as keyof BylawSettingsAnswer]]),
  ) as unknown as Pick<Settings, K>
  const draft = Object.fromEntries(Object.entries(typed).filter(([key]) => keys.includes(key as K))) as Partial<
    Pick<Settings, K>
  >
  const value = { ...stored, ...draft }
  const changed = Object.keys(changedSettings(draft, stored)).length > 0
  const mine = (field: string | null) => keys.some((key) => field === key || field?.startsWith(`${key}.`))
  // Nothing is wrong before something is typed: what is missing stands in one list beneath.
  const problems = changed ? checkBylawSettings({ ...saved, ...typed, ...value }).filter((p) => mine(p.field)) : []
  return (
    <div ref={place} id={anchor} tabIndex={-1} className={css.place}>
      <Card changed={changed} title={say(title)} text={text && say(text)}>
        {children({
          value,
          set: editable ? (patch) => typeInto(id, patch) : null,
          problem: (field) => {
            const found = problems.find((p) => p.field === field)
            return found && told(found)
          },
        })}
        {problems.length > 0 && (
          <ul className={css.reasons} aria-live="polite">
            {[...new Set(problems.map(told))].map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

/** What is wrong with a cell of a set, by its line and name. */
export const wrongIn = (problem: (field: string) => string | undefined, prefix: string) => (i: number, key: string) =>
  problem(`${prefix}.${i}.${key}`)

/** Single settings as inputs; each gives its value to the draft as it is typed. */
export function inputs<K extends keyof Settings>({ value, set, problem }: Draft<K>, say: (label: Label) => string) {
  const error = (key: K) => problem(key)
  return {
    number: (key: K, label: Label, { max, empty = false, help }: { max: number; empty?: boolean; help?: Label }) => (
      <NumberInput
        key={key}
        label={say(label)}
        description={help && say(help)}
        min={0}
        max={max}
        allowDecimal={false}
        disabled={!set}
        error={error(key)}
        value={(value[key] as number | null) ?? ''}
        onChange={(typed) => (typed !== '' || empty) && set!({ [key]: typed === '' ? null : Number(typed) } as never)}
      />
    ),
    decimal: (key: K, label: Label, help?: Label, empty = false) => (
      <TextInput
        key={key}
        label={say(label)}
        description={help && say(help)}
        disabled={!set}
        error={error(key)}
        classNames={{ input: css.start }}
        attributes={{ input: { dir: 'ltr', inputMode: 'decimal' } }}
        value={decimalAsWritten((value[key] as string | null) ?? '')}
        onChange={(event) => {
          const typed = latinDigits(event.currentTarget.value).replace(',', '.')
          set!({ [key]: typed === '' && empty ? null : typed } as never)
        }}
      />
    ),
    text: (key: K, label: Label, help?: Label) => (
      <TextInput
        key={key}
        label={say(label)}
        description={help && say(help)}
        disabled={!set}
        error={error(key)}
        attributes={{ input: { dir: 'ltr' } }}
        value={(value[key] as string | null) ?? ''}
        onChange={(event) => set!({ [key]: event.currentTarget.value || null } as never)}
      />
    ),
    choice: (key: K, label: Label, choices: readonly { value: string; label: Label }[]) => (
      <div key={key} className={css.choice}>
        <div style={{ fontWeight: 500, marginBlockEnd: 4 }}>{say(label)}</div>
        <SegmentedControl
          size="sm"
          disabled={!set}
          aria-label={say(label)}
          value={String(value[key] ?? '')}
          data={choices.map((c) => ({ value: c.value, label: say(c.label) }))}
          onChange={(chosen) => set!({ [key]: chosen } as never)}
        />
      </div>
    ),
    flag: (key: K, label: Label) => (
      <Checkbox
        key={key}
        label={say(label)}
        disabled={!set}
        checked={Boolean(value[key])}
        onChange={(event) => set!({ [key]: event.currentTarget.checked } as never)}
      />
    ),
  }
}
