import { ActionIcon, Modal, NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { emtyazInternCalls as calls } from './intern.contract.ts'
import { INTERN_PATHS, type InternRow } from './row.web.ts'
import css from '../internship.module.css'

/** Electives in the order in which they are wished for: moved by buttons, so that keyboard and phone do the same. */
export function ElectiveWishes({ id, intern, onClose }: { id: number; intern: InternRow; onClose: () => void }) {
  const t = useT('internship')
  const { data, error, refetch } = useCall(calls.electives, { params: { id } })
  const { busy, problem, go, send } = useChange(...INTERN_PATHS)
  const [types, setTypes] = useState(() => intern.wishes.map((one) => one.type_id))
  const all = data?.data ?? []
  const left = all.filter((one) => !types.includes(one.id))
  const move = (i: number, by: number) =>
    setTypes((now) => {
      const next = [...now]
      const [one] = next.splice(i, 1)
      if (one !== undefined) next.splice(i + by, 0, one)
      return next
    })
  const save = async () => {
    const done = await go(() => send(calls.wish, { params: { id }, body: { types, version: intern.version } }))
    if (!done) return
    notify.done(t('wishes_kept'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('wishes')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={200} />
      ) : all.length === 0 ? (
        <Empty title={t('no_electives')} />
      ) : (
        <>
          <ol className={css.wishes}>
            {types.map((type, i) => {
              const one = all.find((each) => each.id === type)
              const name = one ? nameOf(one) : '–'
              return (
                <li key={type} className={css.wish}>
                  <strong>{formatNumber(i + 1)}</strong>
                  <bdi>{name}</bdi>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('up', { name })}
                    disabled={i === 0}
                    onClick={() => move(i, -1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('down', { name })}
                    disabled={i === types.length - 1}
                    onClick={() => move(i, 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('remove_of', { name })}
                    onClick={() => setTypes((now) => now.filter((each) => each !== type))}
                  >
                    <IconX size={16} aria-hidden />
                  </ActionIcon>
                </li>
              )
            })}
          </ol>
          {left.length > 0 && (
            <NativeSelect
              mt="sm"
              label={t('add_wish')}
              value=""
              data={[{ value: '', label: '–' }, ...left.map((one) => ({ value: String(one.id), label: nameOf(one) }))]}
              onChange={({ currentTarget: { value } }) => value && setTypes((now) => [...now, Number(value)])}
            />
          )}
          {problem !== null && <Problems error={problem} />}
          <Submit loading={busy} missing={[]} onCancel={onClose} onClick={() => void save()}>
            {t('keep')}
          </Submit>
        </>
      )}
    </Modal>
  )
}
