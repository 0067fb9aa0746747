import { Switch } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Failed, act } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from './roles.module.css'
import { secondFactorCalls as calls } from './second-factor.contract.ts'
import type { RoleWithPeople } from './second-factor.contract.ts'

/** A number of people; none is fainter, so that the others are found. */
const Figure = ({ count }: { count: number }) => (
  <span className={count ? undefined : css.none}>{formatNumber(count)}</span>
)

/** How many sign in without one, and the way to who they are. */
function Without({ role, label }: { role: RoleWithPeople; label: string }) {
  if (!role.without || !may('access_users')) return <Figure count={role.without} />
  const filters = JSON.stringify({ no_second_factor: [role.id] })
  return (
    <Link className={css.who} to={to('/users', {}, { filters })} aria-label={label}>
      {formatNumber(role.without)}
    </Link>
  )
}

/** Which roles demand a second factor, and what the people who hold them have. */
export default function SecondFactorRoles() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const { data, error, refetch } = useCall(calls.secondFactorRoles)
  const { send } = useChange('/second-factor/roles')
  const set = (role: RoleWithPeople, required: boolean) => {
    const name = nameOf(role, l)
    const { people, without } = role
    void act({
      ...(required && {
        ask: {
          title: t('factor_ask', { name }),
          consequence: !people
            ? t('factor_ask_nobody')
            : without
              ? t('factor_ask_text', { count: people, without: formatNumber(without) })
              : t('factor_ask_all', { count: people }),
          action: t('factor_require'),
        },
      }),
      go: () => send(calls.requireSecondFactor, { params: { id: role.id }, body: { required } }),
      done: () => t(required ? 'role_demands' : 'role_demands_not', { name }),
    })
  }
  return (
    <Page title={t('factor_roles')} subtitle={t('factor_roles_text')}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={400} />
      ) : (
        <Card label={t('factor_roles')}>
          <Table
            label={t('factor_roles')}
            className={css.matrix}
            rows={data.data}
            rowKey={(role) => role.id}
            columns={[
              {
                key: 'role',
                label: t('factor_role'),
                head: true,
                cell: (role) => (
                  <>
                    <bdi>{nameOf(role, l)}</bdi>
                    <small className={css.few}>
                      {t('factor_line', {
                        app: formatNumber(role.app),
                        passkey: formatNumber(role.passkey),
                        codes: formatNumber(role.recovery_codes),
                      })}
                    </small>
                  </>
                ),
              },
              {
                key: 'people',
                label: t('factor_people'),
                figure: true,
                cell: (role) => <Figure count={role.people} />,
              },
              {
                key: 'app',
                label: t('factor_has_app'),
                figure: true,
                className: css.wide,
                cell: (role) => <Figure count={role.app} />,
              },
              {
                key: 'passkey',
                label: t('factor_has_passkey'),
                figure: true,
                className: css.wide,
                cell: (role) => <Figure count={role.passkey} />,
              },
              {
                key: 'codes',
                label: t('factor_has_codes'),
                figure: true,
                className: css.wide,
                cell: (role) => <Figure count={role.recovery_codes} />,
              },
              {
                key: 'without',
                label: t('factor_without'),
                figure: true,
                cell: (role) => (
                  <Without
                    role={role}
                    label={t('factor_without_of', { name: nameOf(role, l), without: formatNumber(role.without) })}
                  />
                ),
              },
              {
                key: 'required',
                label: t('factor_required'),
                end: true,
                cell: (role) => (
                  <Switch
                    className={css.switch}
                    aria-label={t('factor_required_of', { name: nameOf(role, l) })}
                    checked={role.required}
                    onChange={(event) => set(role, event.currentTarget.checked)}
                  />
                ),
              },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
