import { ColorInput } from '@mantine/core'
import { f } from '#kit/contract/index.ts'
import type { Fields } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { SETTING_GROUPS, SETTING_NAMES, UNIVERSITY_SETTINGS, universityCalls } from './university.contract.ts'
import type { SettingName } from './university.contract.ts'

const isFlag = (name: SettingName) => ['true', 'false'].includes(UNIVERSITY_SETTINGS[name].initial)
const FIELDS: Fields = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { label, schema } = UNIVERSITY_SETTINGS[name]
    return [name, isFlag(name) ? f.flag(label) : f.text(label, { max: 500, required: !schema.safeParse('').success })]
  }),
)

/** Settings of the university, by group. Each changed one is saved by its own call. */
export default function UniversityScreen() {
  const t = useT('settings')
  const me = useMe()
  const { send } = useChange()
  const { data, error, refetch } = useCall(universityCalls.universityDataGrouped)
  const rows = data?.data.flatMap((g) => g.settings)
  if (error) {
    return (
      <Page title={t('university_settings')} wide={false}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page title={t('university_settings')} wide={false}>
      {rows ? (
        <Form
          fields={FIELDS}
          values={Object.fromEntries(
            rows.map((r) => [r.name, isFlag(r.name as SettingName) ? r.value === 'true' : r.value]),
          )}
          inputs={{
            accent_colour: ({ id, label, required, disabled, defaultValue, onChange, onBlur, error: problem }) => (
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
                error={problem}
                dir="ltr"
                w={200}
              />
            ),
          }}
          sections={Object.entries(SETTING_GROUPS).map(([group, title]) => ({
            title,
            fields: SETTING_NAMES.filter((name) => UNIVERSITY_SETTINGS[name].group === group),
          }))}
          disabled={!me.can('edit_university')}
          onSave={async (_values, changed) => {
            for (const row of rows) {
              if (!(row.name in changed)) continue
              await send(universityCalls.updateUniversity, {
                params: { id: row.id },
                body: { value: String(changed[row.name] ?? '') },
              })
            }
          }}
          onSaved={() => {
            notify.done(t('settings_saved'))
            void refetch()
          }}
        />
      ) : (
        <Coming />
      )}
    </Page>
  )
}
