import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { Code } from '#kit/web/feedback/words.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { OWN_GROUPS, SETTING_GROUPS, universityCalls } from './university.contract.ts'
import { CERTIFICATE_PLACES } from './kinds.contract.ts'
import type { OwnGroup } from './university.contract.ts'
import { SettingForm } from './setting-fields.web.tsx'

const CALLS = {
  enrollment: universityCalls.updateEnrollment,
  graduation_certificate: universityCalls.updateGraduation,
} as const

/** Text, signatures and validity of one kind of certificate. What was issued stays as it is. */
function GroupScreen({ group }: { group: OwnGroup }) {
  const t = useT('settings')
  const say = useLabel()
  const me = useMe()
  const { send } = useChange()
  const { data, error, refetch } = useCall(universityCalls.settings)
  return (
    <Page title={say(SETTING_GROUPS[group])} wide={false}>
      <p>
        {t('certificate_settings_text')}{' '}
        {CERTIFICATE_PLACES.map((place) => (
          <span key={place}>
            <Code>{`{${place}}`}</Code>{' '}
          </span>
        ))}
      </p>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <SettingForm
          groups={[group]}
          rows={data.data}
          disabled={!me.can(OWN_GROUPS[group], 'edit_university')}
          save={(body) => send(CALLS[group], { body })}
          saved={() => void refetch()}
        />
      ) : (
        <Coming />
      )}
    </Page>
  )
}

export const EnrollmentSettings = () => <GroupScreen group="enrollment" />
export const GraduationCertificateSettings = () => <GroupScreen group="graduation_certificate" />
