import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { OWN_GROUPS, SETTING_GROUPS, universityCalls } from './university.contract.ts'
import { SettingForm } from './setting-fields.web.tsx'

/** Groups that have no screen of their own. */
const GROUPS = (Object.keys(SETTING_GROUPS) as (keyof typeof SETTING_GROUPS)[]).filter(
  (group) => !(group in OWN_GROUPS),
)

/** Settings of the university, by group. */
export default function UniversityScreen() {
  const t = useT('settings')
  const me = useMe()
  const { send } = useChange()
  const { data, error, refetch } = useCall(universityCalls.universityDataGrouped)
  return (
    <Page title={t('university_settings')} wide={false}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <SettingForm
          groups={GROUPS}
          rows={data.data.flatMap((group) => group.settings)}
          disabled={!me.can('edit_university')}
          save={(body) => send(universityCalls.updateSettings, { body })}
          saved={() => void refetch()}
        />
      ) : (
        <Coming />
      )}
    </Page>
  )
}
