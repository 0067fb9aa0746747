/** A part of the settings of a bylaw: read, changed and saved as one, with the inputs it is made of. */
import { Button, Checkbox, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { createContext, use, useState } from 'react'
import type { ReactNode } from 'react'
import type { Label } from '#kit/contract/index.ts'
import { useCall, useSend } from '#kit/web/api/index.ts'
import { ApiError } from '#kit/web/api/error.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { latinDigits } from '#kit/web/fields/digits.ts'
import { decimalAsWritten, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { describe } from '#areas/common/academics/problem.rules.ts'
import css from '../catalogue.module.css'
import { bylawCalls, type BylawSettingsAnswer, type Settings } from './settings.contract.ts'
import { checkBylawSettings, settingsTexts } from './settings.rules.ts'

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

/** A change on which approved results stand holds from a term on: the server asks which. */
const asksForTerm = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'from_term_id')

interface Draft<K extends keyof Settings> {
  readonly value: Pick<Settings, K>
  /** null: may only be read. */
  readonly set: ((patch: Partial<Pick<Settings, K>>) => void) | null
  /** What is wrong with a field, by its name on the wire. */
  readonly problem: (field: string) => string | undefined
}

/** Some settings that are changed and saved together: checked while somebody types, saved as one, all reasons at once. */
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
  const t = useT('catalogue')
  const say = useLabel()
  const { id, saved, editable } = use(EditingContext)!
  const [draft, setDraft] = useState<Partial<Pick<Settings, K>> | null>(null)
  const stored = Object.fromEntries(
    keys.map((key) => [key, saved[key as keyof BylawSettingsAnswer]]),
  ) as unknown as Pick<Settings, K>
  const value = { ...stored, ...draft }
  const mine = (field: string | null) => keys.some((key) => field === key || field?.startsWith(`${key}.`))
  const problems = checkBylawSettings({ ...saved, ...value }).filter((p) => mine(p.field))
  const [from, setFrom] = useState<number | null>(null)
  const save = useSend(bylawCalls.setSettings, {
    onDone: () => {
      setDraft(null)
      setFrom(null)
      notify.done(t('saved'))
    },
  })
  useUnsaved(draft !== null && !save.isPending)
  return (
    <Card changed={draft !== null} title={say(title)} text={text && say(text)}>
      {children({
        value,
        set: editable
          ? (patch) => {
              save.reset()
              setDraft((kept) => ({ ...kept, ...patch }))
            }
          : null,
        problem: (field) => {
          const found = problems.find((p) => p.field === field)
          return found && told(found)
        },
      })}
      {(draft !== null || editable) && problems.length > 0 && (
        <ul className={css.reasons} aria-live="polite">
          {[...new Set(problems.map(told))].map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {save.error && <Problems error={save.error} title={t('not_saved')} />}
      {draft !== null && (from !== null || asksForTerm(save.error)) && (
        <div className={css.choice}>
          <LookupInput
            resource="term"
            label={t('settings_from')}
            defaultValue={from}
            onChange={(chosen) => setFrom(typeof chosen === 'number' ? chosen : null)}
          />
        </div>
      )}
      {draft !== null && (
        <div className={css.bar}>
          <Submit
            size="sm"
            loading={save.isPending}
            missing={[problems.length > 0 && t('mend_first', { count: problems.length })]}
            onClick={() =>
              save.mutate({
                params: { id },
                body: { ...draft, version: saved.version, ...(from !== null && { from_term_id: from }) },
              })
            }
          >
            {t('save')}
          </Submit>
          <Button
            size="sm"
            variant="default"
            onClick={() => {
              setDraft(null)
              setFrom(null)
              save.reset()
            }}
          >
            {t('discard')}
          </Button>
          {problems.length > 0 && <span>{t('mend_first', { count: problems.length })}</span>}
        </div>
      )}
    </Card>
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
