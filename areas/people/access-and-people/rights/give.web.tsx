import { Button, Modal, MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import { PERMISSION_KEYS, kindsKnown } from '#access/permissions.contract.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { RightDays, type Answer, type AccessDraft, type RightLine, type AccessUnit } from './access-lines.web.tsx'
import { wrongDays } from './grants.rules.ts'
import type { GrantPlace } from './grants.rules.ts'
import { PLACES } from './rights.contract.ts'
import css from './rights.module.css'
import { useRightName } from './words.web.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'

/** Adds to what is being changed; nothing is saved yet. */
export function Give({
  what,
  answer,
  onClose,
  onGive,
}: {
  what: 'role' | 'entry' | 'direct'
  answer: Answer['meta']
  onClose: () => void
  onGive: (add: Partial<AccessDraft>) => void
}) {
  const t = useT('access-and-people')
  const tk = useT('kit')
  const l = useLanguage()
  const right = useRightName()
  const [role, setRole] = useState<string | null>(null)
  const [keys, setKeys] = useState<string[]>([])
  const [place, setPlace] = useState<string | null>(null)
  const [days, setDays] = useState<Pick<RightLine, 'valid_from' | 'valid_to'>>({ valid_from: null, valid_to: null })
  const wrong = wrongDays(days, answer.today)
  const give = () => {
    const [type, id] = (place ?? '').split(' ')
    const scope = place ? ({ type, id: Number(id) } as GrantPlace) : null
    onGive(
      what === 'role'
        ? { roles: [{ role_id: Number(role), scope, ...days }] }
        : what === 'entry'
          ? { access_entries: keys.map((permission) => ({ permission, scope: scope!, ...days })) }
          : { permissions: keys },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t(`${what}_give`)} size="lg">
      <Stack>
        {what === 'role' ? (
          <Select
            label={t('role')}
            searchable
            data={answer.roles.map((one) => ({ value: String(one.id), label: nameOf(one, l) }))}
            value={role}
            onChange={setRole}
            data-autofocus
          />
        ) : (
          <MultiSelect
            label={t('rights')}
            searchable
            data={PERMISSION_KEYS.filter((key) => kindsKnown(key).has(what === 'entry' ? 'part' : 'university')).map(
              (key) => ({ value: key as string, label: right(key) }),
            )}
            value={keys}
            onChange={setKeys}
            limit={60}
            data-autofocus
          />
        )}
        {what !== 'direct' && (
          <>
            <PlaceSelect units={answer.units} value={place} onChange={setPlace} optional={what === 'role'} />
            <RightDays value={days} today={answer.today} onChange={(part) => setDays({ ...days, ...part })} />
          </>
        )}
        <div className={css.bar}>
          <Button variant="default" onClick={onClose}>
            {tk('cancel')}
          </Button>
          <Submit
            missing={[
              what === 'role' ? role === null && t('role') : !keys.length && t('rights'),
              what === 'entry' && place === null && t('part_of_university'),
              wrong && t('last_day'),
            ]}
            onClick={give}
          >
            {t('give')}
          </Submit>
        </div>
      </Stack>
    </Modal>
  )
}

function PlaceSelect({
  units,
  value,
  onChange,
  optional,
}: {
  units: readonly AccessUnit[]
  value: string | null
  onChange: (value: string | null) => void
  optional: boolean
}) {
  const t = useT('access-and-people')
  const say = useLabel()
  const l = useLanguage()
  return (
    <Select
      label={t('part_of_university')}
      description={optional ? t('part_optional') : undefined}
      placeholder={optional ? t('whole_university') : undefined}
      searchable
      clearable={optional}
      limit={80}
      data={PLACES.map(({ value: type, label: words }) => ({
        group: say(words),
        items: units
          .filter((unit) => unit.type === type)
          .map((unit) => ({ value: `${type} ${unit.id}`, label: nameOf(unit, l) })),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
