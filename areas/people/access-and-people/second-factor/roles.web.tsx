import { Switch } from '@mantine/core'
import { useCall, useSend } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { secondFactorCalls as calls } from './second-factor.contract.ts'

/** Which roles demand a second factor. */
export default function SecondFactorRoles() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const { data, error, refetch } = useCall(calls.secondFactorRoles)
  const set = useSend(calls.requireSecondFactor, {
    invalidates: [calls.secondFactorRoles],
    onDone: ({ data: role }) =>
      notify.done(t(role.required ? 'role_demands' : 'role_demands_not', { name: nameOf(role, l) })),
    onError: (problem) => notify.error(problem),
  })
  return (
    <Page title={t('factor_roles')} subtitle={t('factor_roles_text')} wide={false}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={400} />
      ) : (
        <Card label={t('factor_roles')}>
          <Stack gap={10} busy={set.isPending}>
            {data.data.map((role) => (
              <Switch
                key={role.id}
                label={nameOf(role, l)}
                checked={role.required}
                disabled={set.isPending}
                onChange={(event) =>
                  set.mutate({ params: { id: role.id }, body: { required: event.currentTarget.checked } })
                }
              />
            ))}
          </Stack>
        </Card>
      )}
    </Page>
  )
}
