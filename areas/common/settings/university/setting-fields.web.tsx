import { ColorInput } from '@mantine/core'
import { f } from '#kit/contract/index.ts'
import type { Fields } from '#kit/contract/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import type { FormProps } from '#kit/web/form/form.tsx'
import { notify } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { SETTING_GROUPS, SETTING_NAMES, UNIVERSITY_SETTINGS } from './university.contract.ts'
import type { SettingName } from './university.contract.ts'

type Asked = 'flag' | 'picture' | 'moment' | 'lines' | 'line'
function askedAs(name: SettingName): Asked {
  const definition = UNIVERSITY_SETTINGS[name]
  if ('asked' in definition) return definition.asked
  return ['true', 'false'].includes(definition.initial) ? 'flag' : 'line'
}

const FIELDS = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { label, schema } = UNIVERSITY_SETTINGS[name]
    const required = !schema.safeParse('').success
    const field = {
      flag: () => f.flag(label),
      picture: () => f.file(label, { accept: ['png', 'jpg'] }),
      moment: () => f.instant(label),
      lines: () => f.longText(label, { max: 2000, required }),
      line: () => f.text(label, { max: 500, required }),
    }[askedAs(name)]()
    return [name, field]
  }),
) as Fields

/** A stored text as the form's input wants it, and back. */
const shown = (name: SettingName, value: string): unknown =>
  ({
    flag: () => value === 'true',
    picture: () => (value ? Number(value) : null),
    moment: () => value || null,
    lines: () => value,
    line: () => value,
  })[askedAs(name)]()
/** Values as the calls take them: texts, by name. */
export const settingTexts = (changed: Readonly<Record<string, unknown>>): Partial<Record<SettingName, string>> =>
  Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, value === null || value === undefined ? '' : String(value)]),
  )

const Colour: NonNullable<FormProps['inputs']>[string] = ({
  id,
  label,
  required,
  disabled,
  defaultValue,
  onChange,
  onBlur,
  error,
}) => (
  <ColorInput
    id={id}
    label={label}
    aria-required={required}
    disabled={disabled}
    format="hex"
    withEyeDropper={false}
    defaultValue={String(defaultValue ?? '')}
    onChangeEnd={onChange}
    onBlur={onBlur}
    error={error}
    dir="ltr"
    w={200}
  />
)

interface Stored {
  readonly name: string
  readonly value: string
}

/** The form of some groups of settings. What was changed is saved at once, all or none. */
export function SettingForm({
  groups,
  rows,
  disabled,
  save,
  saved,
}: {
  groups: readonly (keyof typeof SETTING_GROUPS)[]
  rows: readonly Stored[]
  disabled: boolean
  save: (changed: Partial<Record<SettingName, string>>) => Promise<unknown>
  saved: () => void
}) {
  const t = useT('settings')
  const names = SETTING_NAMES.filter((name) => (groups as readonly string[]).includes(UNIVERSITY_SETTINGS[name].group))
  return (
    <Form
      fields={Object.fromEntries(names.map((name) => [name, FIELDS[name]!]))}
      values={Object.fromEntries(
        rows
          .filter((row) => names.includes(row.name as SettingName))
          .map((row) => [row.name, shown(row.name as SettingName, row.value)]),
      )}
      inputs={{ accent_colour: Colour }}
      sections={groups.map((group) => ({
        title: SETTING_GROUPS[group],
        fields: names.filter((name) => UNIVERSITY_SETTINGS[name].group === group),
      }))}
      disabled={disabled}
      onSave={(_values, changed) => save(settingTexts(changed))}
      onSaved={() => {
        notify.done(t('settings_saved'))
        saved()
      }}
    />
  )
}
