import { PASSWORD_MIN } from '#kit/contract/password.ts'
import { Avatar, Button, FileButton, NativeSelect, Skeleton } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useCall, useChange, useSend } from '../../api/hooks.ts'
import { calls } from '../../auth/calls.ts'
import type { NamedRight, Profile as ProfileData, Session } from '../../auth/calls.ts'
import { deviceOf } from '../../auth/device.ts'
import { loadMe, useMe } from '../../auth/me.ts'
import { confirm } from '../../feedback/dialogs.tsx'
import { notify } from '../../feedback/notify.tsx'
import { Failed, Problems } from '../../feedback/problems.tsx'
import { Code, Status } from '../../feedback/words.tsx'
import { Asked, PlainForm } from '../../form/plain-form.tsx'
import { label, useLabel, useT } from '../../i18n/catalogue.ts'
import {
  formatAgo,
  formatDate,
  formatInstant,
  latinDigits,
  nameOf,
  otherNameOf,
  withHeading,
} from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.ts'
import { Page } from '../../shell/page.tsx'
import css from './profile.module.css'
import { Link } from 'react-router'
import { SCREENS, titleOf, screenAt } from '../../router/screens.ts'

export default function Profile() {
  const t = useT('kit')
  const l = useLanguage()
  const me = useMe()
  const { data, error, refetch } = useCall(calls.profile)
  const profile = data?.data
  const other = otherNameOf(me.user, l)
  const more = SCREENS.filter((screen) => screen.parent === '/profile' && me.may(screen.permission))
  return (
    <Page title={titleOf(screenAt('/profile')!, l)} wide={false}>
      <section className={css.identity}>
        <Avatar src={me.user.photo} size={60} radius="50%" color="accent" variant="filled" alt="">
          {[...nameOf(me.user, l)][0]}
        </Avatar>
        <div>
          <h2>
            <bdi>{nameOf(me.user, l)}</bdi>
          </h2>
          {other && (
            <p>
              <bdi>{other}</bdi>
            </p>
          )}
          <Photo />
        </div>
      </section>
      {error && <Failed error={error} retry={() => void refetch()} />}
      <dl className={css.facts}>
        <div>
          <dt>{t('email')}</dt>
          <dd>
            <Code>{me.user.email ?? '–'}</Code>
          </dd>
        </div>
        <div>
          <dt>{t('profile_type')}</dt>
          <dd>{t(`user_type_${me.user.type}`)}</dd>
        </div>
        <div>
          <dt>{t('profile_roles')}</dt>
          <dd>
            {profile ? (
              profile.roles.length ? (
                <ul>
                  {profile.roles.map((role, i) => (
                    <li key={i}>
                      <bdi>{label([role.name, role.name_local], l)}</bdi>
                      {role.scope && (
                        <>
                          {' · '}
                          <bdi>{nameOf(role.scope, l)}</bdi>
                        </>
                      )}
                      {role.valid_to && ` · ${formatDate(role.valid_to, 'short', l)}`}
                    </li>
                  ))}
                </ul>
              ) : (
                '–'
              )
            ) : (
              <Skeleton height="1lh" width={180} />
            )}
          </dd>
        </div>
      </dl>
      {/* How much stands above the rest is known with the answer: nothing of it is drawn before, so that nothing moves. */}
      {profile || error ? (
        <>
          <Phone />
          <HijriDates />
          {profile && <Rights profile={profile} />}
          <Password />
          {more.map((screen) => (
            <section key={screen.path} className={css.section}>
              <div className={css.sectionHead}>
                <h2>{titleOf(screen, l)}</h2>
                <Button
                  variant="default"
                  component={Link}
                  to={screen.path}
                  aria-label={withHeading(t('open'), titleOf(screen, l))}
                >
                  {t('open')}
                </Button>
              </div>
            </section>
          ))}
          <Sessions />
        </>
      ) : (
        <Skeleton height="100vh" data-coming />
      )}
    </Page>
  )
}

/** The own photo, changed at once. */
function Photo() {
  const { send } = useChange()
  const t = useT('kit')
  const me = useMe()
  const [busy, setBusy] = useState(false)
  const change = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    try {
      await send(calls.updatePhoto, { params: { id: me.user.id }, file })
      await loadMe()
      notify.done(t('photo_changed'))
    } catch (problem) {
      notify.error(problem, (why) => t('photo_failed', { why }))
    }
    setBusy(false)
  }
  if (me.live.impersonation) return null
  return (
    <FileButton accept="image/png,image/jpeg" onChange={(file) => void change(file)}>
      {(props) => (
        <Button {...props} variant="subtle" size="compact-sm" loading={busy}>
          {t('change_photo')}
        </Button>
      )}
    </FileButton>
  )
}

/** The own telephone. Name and e-mail are those of the record. */
function Phone() {
  const t = useT('kit')
  const me = useMe()
  const [open, setOpen] = useState(false)
  const { busy, problem, go, send } = useChange()
  const save = async ({ phone = '' }: Readonly<Record<string, string>>) => {
    const done = await go(async () => {
      await send(calls.updateProfile, { body: { phone: latinDigits(phone).trim() || null } })
      await loadMe()
    })
    if (!done) return
    setOpen(false)
    notify.done(t('phone_changed'))
  }
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <div>
          <h2>{t('phone')}</h2>
          <p>
            <Code>{me.user.phone ?? '–'}</Code>
          </p>
        </div>
        {!open && !me.live.impersonation && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('change_phone')}
          </Button>
        )}
      </div>
      {open && (
        <PlainForm className={css.passwords} busy={busy} send={(typed) => void save(typed)}>
          {problem !== null && <Problems error={problem} />}
          <Asked
            optional
            name="phone"
            label={t('phone')}
            defaultValue={me.user.phone ?? ''}
            attributes={{ input: { dir: 'ltr', inputMode: 'tel', autoComplete: 'tel' } }}
          />
          <div className={css.buttons}>
            <Button type="submit" loading={busy}>
              {t('change_phone')}
            </Button>
            <Button variant="default" onClick={() => setOpen(false)}>
              {t('cancel')}
            </Button>
          </div>
        </PlainForm>
      )}
    </section>
  )
}

/** Whether Hijri dates stand beside the others, as the reader wants it. */
function HijriDates() {
  const { send } = useChange()
  const t = useT('kit')
  const me = useMe()
  if (me.live.impersonation) return null
  const change = async (value: string) => {
    try {
      await send(calls.updateProfile, { body: { show_hijri: value === 'university' ? null : value === 'shown' } })
      await loadMe()
    } catch (problem) {
      notify.error(problem)
    }
  }
  return (
    <section className={css.section}>
      <NativeSelect
        label={t('hijri_dates')}
        maw={320}
        value={me.user.show_hijri === null ? 'university' : me.user.show_hijri ? 'shown' : 'hidden'}
        onChange={(event) => void change(event.currentTarget.value)}
        data={(['university', 'shown', 'hidden'] as const).map((value) => ({ value, label: t(`hijri_${value}`) }))}
      />
    </section>
  )
}

/** What the reader may do, and by what. */
function Rights({ profile }: { profile: ProfileData }) {
  const t = useT('kit')
  const l = useLanguage()
  const say = useLabel('permissions')
  const groups: { title: string; rights: (NamedRight & { more?: (string | null)[] })[] }[] = [
    { title: t('rights_by_role'), rights: [...profile.role_permissions] },
    { title: t('rights_direct'), rights: [...profile.direct_permissions] },
    {
      title: t('rights_by_entry'),
      rights: profile.access_entries.map((entry) => ({
        ...entry,
        more: [entry.scope && nameOf(entry.scope, l), entry.valid_to && formatDate(entry.valid_to, 'short', l)],
      })),
    },
  ].filter((group) => group.rights.length > 0)
  if (!groups.length) return null
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <div>
          <h2>{t('profile_rights')}</h2>
        </div>
      </div>
      {groups.map((group) => (
        <details key={group.title}>
          <summary>
            {group.title} <Code>{group.rights.length}</Code>
          </summary>
          <ul>
            {group.rights.map((right, i) => (
              <li key={`${right.key} ${i}`}>
                <bdi>{say([right.name, right.name_local])}</bdi>
                {right.more?.map((text) => text && <bdi key={text}> · {text}</bdi>)}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

function Password() {
  const t = useT('kit')
  const [open, setOpen] = useState(false)
  const { busy, problem, go, send } = useChange()
  const nowField = useRef<HTMLInputElement>(null)
  const nextField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (open) nowField.current?.focus()
  }, [open])
  const save = async (typed: Readonly<Record<string, string>>) => {
    const body = { current_password: typed.current!, password: typed.next! }
    if (!(await go(() => send(calls.resetPassword, { body })))) return
    setOpen(false)
    notify.done(t('password_changed'))
  }
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <div>
          <h2>{t('profile_password')}</h2>
          <p>{t('profile_password_text')}</p>
        </div>
        {!open && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('change_password')}
          </Button>
        )}
      </div>
      {open && (
        <PlainForm className={css.passwords} busy={busy} send={(typed) => void save(typed)}>
          {problem !== null && <Problems error={problem} />}
          <Asked secret ref={nowField} name="current" label={t('current_password')} autoComplete="current-password" />
          <Asked
            secret
            ref={nextField}
            name="next"
            label={t('new_password')}
            description={t('password_least', { min: PASSWORD_MIN })}
            autoComplete="new-password"
            rule={(typed) =>
              typed.length < PASSWORD_MIN ? t('password_short', { n: typed.length, min: PASSWORD_MIN }) : null
            }
          />
          <Asked
            secret
            name="again"
            label={t('repeat_password')}
            autoComplete="new-password"
            rule={(again) => (again === nextField.current?.value ? null : t('passwords_differ'))}
          />
          <div className={css.buttons}>
            <Button type="submit" loading={busy}>
              {t('set_password')}
            </Button>
            <Button variant="default" onClick={() => setOpen(false)} disabled={busy}>
              {t('cancel')}
            </Button>
          </div>
        </PlainForm>
      )}
    </section>
  )
}

function Sessions() {
  const { send } = useChange()
  const t = useT('kit')
  const say = useT('sign-in')
  const l = useLanguage()
  const { data, error, isPending, refetch } = useCall(calls.sessions)
  const end = useSend(calls.endSession, {
    invalidates: [calls.sessions],
    onDone: () => notify.done(t('session_ended')),
    onError: (problem) => notify.error(problem),
  })
  const list = data?.data ?? []
  const others = list.filter((s) => !s.current)
  const endOthers = () =>
    confirm({
      title: t('session_end_others'),
      consequence: t('session_end_others_text'),
      action: t('session_end_others'),
      danger: true,
      go: async () => {
        for (const session of others) await send(calls.endSession, { params: { session_id: session.id } })
        await refetch()
      },
    })
  const row = (session: Session) => {
    const device = deviceOf(session.user_agent)
    const Sign = device?.mobile ? IconDeviceMobile : IconDeviceDesktop
    return (
      <li key={session.id}>
        <Sign size={22} stroke={1.4} aria-hidden />
        <div>
          <div className={css.device}>
            {device ? t('device_on', { browser: device.browser, system: device.system }) : t('unknown_device')}
            {session.current && <Status is="current" label={t('session_current')} />}
          </div>
          <div className={css.when} title={formatInstant(session.created_at, l)}>
            {t('session_used', { when: formatAgo(session.last_used_at, undefined, l) })}
            {session.ip && (
              <>
                {' · '}
                <Code>{session.ip}</Code>
              </>
            )}
            {session.signed_in_by && (
              <>
                {' · '}
                {say(`signed_in_by_${session.signed_in_by}`)}
                {session.second_factor && ` + ${say(`second_by_${session.second_factor}`)}`}
              </>
            )}
            {session.impersonator && (
              <>
                {' · '}
                <bdi>{session.impersonator}</bdi>
              </>
            )}
          </div>
        </div>
        {!session.current && (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables?.params?.session_id === session.id}
            onClick={() => end.mutate({ params: { session_id: session.id } })}
          >
            {t('session_end')}
          </Button>
        )}
      </li>
    )
  }
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <div>
          <h2>{t('sessions')}</h2>
          <p>{t('sessions_text')}</p>
        </div>
        {others.length > 1 && (
          <Button variant="default" onClick={() => void endOthers()}>
            {t('session_end_others')}
          </Button>
        )}
      </div>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton height={64} />
      ) : (
        <ul className={css.sessions}>{[...list.filter((s) => s.current), ...others].map(row)}</ul>
      )}
    </section>
  )
}
