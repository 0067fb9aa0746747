import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { RecoveryCodes } from '#kit/web/second-factor/recovery-codes.tsx'
import { Setup } from '#kit/web/second-factor/setup.tsx'
import { Failed, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Identities } from '../provider/identities.web.tsx'
import { secondFactorCalls as calls } from './second-factor.contract.ts'

/** The own second factor: set up, set up on another phone, new recovery codes, taken away. */
export default function OwnSecondFactor() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const me = useMe()
  const { send } = useChange('/users/second-factor')
  const { data, error, refetch } = useCall(calls.secondFactor)
  const [setting, setSetting] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const state = data?.data
  const anew = () =>
    confirm({
      title: t('recovery_new'),
      consequence: t('recovery_new_text'),
      action: t('recovery_new'),
      go: async () => setCodes((await send(calls.newRecoveryCodes)).data.recovery_codes),
    })
  const drop = async () => {
    const done = await confirm({
      title: t('factor_drop_title'),
      consequence: t('factor_drop_text'),
      action: t('factor_drop'),
      danger: true,
      go: () => send(calls.dropSecondFactor),
    })
    if (done) notify.done(t('factor_dropped'))
  }
  const content = () => {
    if (error) return <Failed error={error} retry={() => void refetch()} />
    if (!state) return <Bone height={120} />
    if (codes) return <RecoveryCodes codes={codes} kept={() => setCodes(null)} />
    if (setting) {
      return (
        <Setup
          begin={async () => (await send(calls.enrol)).data}
          confirm={async (code) => {
            const answer = await send(calls.finish, { body: { code } })
            setSetting(false)
            setCodes(answer.data.recovery_codes)
          }}
          onCancel={() => setSetting(false)}
        />
      )
    }
    return (
      <Stack gap={12}>
        <div>
          {state.since ? (
            <>
              <Status is="enabled" label={t('factor_on')} />{' '}
              {t('factor_since', { when: formatInstant(state.since, l) })}
            </>
          ) : (
            <Status is="missing" label={t('factor_off')} />
          )}
        </div>
        {state.since && <div>{t('recovery_left', { count: state.recovery_codes_left })}</div>}
        {state.required && <div>{t('factor_demanded')}</div>}
        {!me.live.impersonation && (
          <Group gap="xs">
            <Button variant={state.since ? 'default' : 'filled'} onClick={() => setSetting(true)}>
              {t(state.since ? 'factor_change' : 'factor_set_up')}
            </Button>
            {state.since && (
              <Button variant="default" onClick={() => void anew()}>
                {t('recovery_new')}
              </Button>
            )}
            {state.since && !state.required && (
              <Button variant="default" color="red" onClick={() => void drop()}>
                {t('factor_drop')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    )
  }
  return (
    <Page title={t('own_sign_in')} wide={false}>
      <Card title={t('factor_app')} text={t('factor_text')}>
        {content()}
      </Card>
      <Identities />
    </Page>
  )
}
