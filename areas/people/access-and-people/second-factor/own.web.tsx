import { Alert, Button, Group } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { RecoveryCodes } from '#kit/web/second-factor/recovery-codes.tsx'
import { Setup } from '#kit/web/second-factor/setup.tsx'
import { Failed, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Passkeys } from '../passkeys/passkeys.web.tsx'
import { Identities } from '../provider/identities.web.tsx'
import { secondFactorCalls as calls } from './second-factor.contract.ts'

/** How one signs in: passkeys, the authenticator app, recovery codes, single sign-on. */
export default function OwnSignIn() {
  const t = useT('access-and-people')
  const { data, error, refetch } = useCall(calls.secondFactor)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const state = data?.data
  const content = () => {
    if (error) return <Failed error={error} retry={() => void refetch()} />
    if (!state) return <Bone height={480} />
    if (codes)
      return (
        <Card label={t('recovery')}>
          <RecoveryCodes codes={codes} kept={() => setCodes(null)} />
        </Card>
      )
    return (
      <>
        {state.required && <Alert icon={<IconShieldLock size={18} />}>{t('factor_demanded')}</Alert>}
        <Passkeys only={!state.app} onCodes={setCodes} />
        <App state={state} onCodes={setCodes} />
        {state.since && <Recovery left={state.recovery_codes_left} onCodes={setCodes} />}
      </>
    )
  }
  return (
    <Page title={t('own_sign_in')} wide={false}>
      <Stack>
        {content()}
        <Identities />
      </Stack>
    </Page>
  )
}

type State = ResponseOf<typeof calls.secondFactor>['data']

/** The authenticator app: set up, set up on another phone, taken off. */
function App({ state, onCodes }: { state: State; onCodes: (codes: readonly string[]) => void }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const me = useMe()
  const { send } = useChange('/users/second-factor')
  const [setting, setSetting] = useState(false)
  const drop = async () => {
    const done = await confirm({
      title: t('factor_drop_title'),
      consequence: t(state.passkeys ? 'factor_drop_passkeys_text' : 'factor_drop_text'),
      action: t('factor_drop'),
      danger: true,
      go: () => send(calls.dropSecondFactor),
    })
    if (done) notify.done(t('factor_dropped'))
  }
  const may = !state.required || state.passkeys > 0
  return (
    <Card title={t('factor_app')} text={t('factor_text')}>
      {setting ? (
        <Setup
          begin={async () => (await send(calls.enrol)).data}
          confirm={async (code) => {
            const answer = await send(calls.finish, { body: { code } })
            setSetting(false)
            onCodes(answer.data.recovery_codes)
          }}
          onCancel={() => setSetting(false)}
        />
      ) : (
        <Stack gap={12}>
          <div>
            {state.app && state.since ? (
              <>
                <Status is="enabled" label={t('factor_on')} />{' '}
                {t('factor_since', { when: formatInstant(state.since, l) })}
              </>
            ) : (
              <Status is="missing" label={t('factor_off')} />
            )}
          </div>
          {!me.live.impersonation && (
            <Group gap="xs">
              <Button variant={state.since ? 'default' : 'filled'} onClick={() => setSetting(true)}>
                {t(state.app ? 'factor_change' : 'factor_set_up')}
              </Button>
              {state.app && may && (
                <Button variant="default" color="red" onClick={() => void drop()}>
                  {t('factor_drop')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      )}
    </Card>
  )
}

/** For the day on which all devices are lost. */
function Recovery({ left, onCodes }: { left: number; onCodes: (codes: readonly string[]) => void }) {
  const t = useT('access-and-people')
  const me = useMe()
  const { send } = useChange('/users/second-factor')
  const anew = () =>
    confirm({
      title: t('recovery_new'),
      consequence: t('recovery_new_text'),
      action: t('recovery_new'),
      go: async () => onCodes((await send(calls.newRecoveryCodes)).data.recovery_codes),
    })
  return (
    <Card title={t('recovery')} text={t('recovery_text')}>
      <Stack gap={12}>
        <div>{t('recovery_left', { count: left })}</div>
        {!me.live.impersonation && (
          <div>
            <Button variant="default" onClick={() => void anew()}>
              {t('recovery_new')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  )
}
