import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatBytes, formatInstant, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { treeCalls } from '#areas/office/archive/tree/tree.contract.ts'
import { courseFileCalls, type CheckedPart } from './course-file.contract.ts'
import css from '../course-files.module.css'

/** Files that are shown: more are found by more letters. */
const SHOWN = 20

/** Takes a file of the archive into a part, as it is there now. */
export function FromArchive({ id, part, onClose }: { id: number; part: CheckedPart; onClose: () => void }) {
  const t = useT('course-files')
  const { busy, problem, go, send } = useChange('/courseFile')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const [chosen, setChosen] = useState<number | null>(null)
  const [hidden, setHidden] = useState(false)
  const { data, error, refetch } = useCall(
    treeCalls.listArchive,
    { body: { search, kind: 'file', perPage: SHOWN } },
    { enabled: search.length > 1 },
  )
  const take = async () => {
    if (chosen === null) return
    const done = await go(() =>
      send(courseFileCalls.takeFromArchive, {
        params: { id },
        body: { part_id: part.id, entry_id: chosen, names_hidden: hidden },
      }),
    )
    if (!done) return
    notify.done(t('handed_in'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('from_archive')}>
      <div className={css.say}>
        <p className={css.text}>{t('from_archive_text')}</p>
        <TextInput
          data-autofocus
          label={t('archive_file')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
        {search.length > 1 && !data && !error && <Bone height={80} />}
        {search.length > 1 && data?.data.length === 0 && <Empty title={t('no_file')} />}
        {search.length > 1 && data && data.data.length > 0 && (
          <fieldset className={css.choices}>
            <legend>{t('archive_file')}</legend>
            {data.data.map((one) => (
              <label key={one.id}>
                <input type="radio" name="entry" checked={chosen === one.id} onChange={() => setChosen(one.id)} />
                <bdi>{one.name}</bdi>
                <small>
                  {one.size !== null && `${formatBytes(one.size)} · `}
                  {formatInstant(one.updated_at)}
                </small>
              </label>
            ))}
            <OnlyFirst rows={data.data.length} most={SHOWN} />
          </fieldset>
        )}
        {part.names_hidden && (
          <Checkbox
            label={t('names_sure')}
            checked={hidden}
            onChange={({ currentTarget }) => setHidden(currentTarget.checked)}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <Submit
          missing={[chosen === null && t('archive_file'), part.names_hidden && !hidden && t('names_sure')]}
          loading={busy}
          onCancel={onClose}
          onClick={() => void take()}
        >
          {t('from_archive')}
        </Submit>
      </div>
    </Modal>
  )
}
