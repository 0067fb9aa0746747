import { useState } from 'react'
import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Empty, Failed, Name, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from '../hotels.module.css'
import { stayCalls, type StayDetail } from './stay.contract.ts'
import { STAY_PATHS } from './use-steps.web.ts'

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** Free beds that fit a reservation: one is given to who waits, or a stay goes there, on the same days or on others. */
export default function BedsDialog({ stay, onClose }: { stay: StayDetail; onClose: (id: number) => void }) {
  const t = useT('hotels')
  const moves = stay.status !== 'requested'
  const inside = stay.status === 'checked_in'
  const [from, setFrom] = useState(stay.from_day)
  const [until, setUntil] = useState(stay.until_day)
  const { data, error, refetch } = useCall(
    stayCalls.freeBeds,
    { params: { id: stay.id }, body: { from_day: from, until_day: until } },
    { enabled: until > from },
  )
  const { busy, problem, go, send } = useChange(...STAY_PATHS)
  const take = async (bed_id: number) => {
    const done = await go(async () => {
      const { version } = stay
      if (moves)
        return (
          await send(stayCalls.moveStay, {
            params: { id: stay.id },
            body: { bed_id, from_day: from, until_day: until, version },
          })
        ).data.id
      return (
        await send(stayCalls.updateStage, { params: { id: stay.id }, body: { stage: 'confirmed', bed_id, version } })
      ).data.id
    })
    if (!done) return
    notify.done(t(moves ? 'moved' : 'bed_given'))
    onClose(done.answer)
  }
  const free = data?.data ?? []
  const close = () => onClose(stay.id)
  return (
    <Dialog
      opened
      size="lg"
      onClose={close}
      title={t(moves ? 'move' : 'choose_bed')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        {moves && (
          <div className={css.tools}>
            <DateInput
              name="from_day"
              label={t('first_night')}
              defaultValue={from}
              onChange={(day) => isDay(day) && setFrom(day)}
              disabled={inside}
            />
            <DateInput
              name="until_day"
              label={t('leaves_on')}
              defaultValue={until}
              onChange={(day) => isDay(day) && setUntil(day)}
            />
            {stay.bed_id !== null && (
              <Button variant="default" loading={busy} onClick={() => void take(stay.bed_id!)}>
                {t('keep_bed')}
              </Button>
            )}
          </div>
        )}
        {problem !== null && <Problems error={problem} />}
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone height={200} />
        ) : !free.length ? (
          <Empty title={t('no_free_bed')} text={t('no_free_bed_text')} />
        ) : (
          <div className={css.beds}>
            <Table
              label={t('free_beds')}
              rows={free}
              rowKey={(bed) => bed.id}
              columns={[
                { key: 'hostel', label: t('hostel'), head: true, cell: (bed) => <Name row={bed.hostel} /> },
                {
                  key: 'bed',
                  label: t('bed'),
                  cell: (bed) => (
                    <Code>
                      {bed.room} · {bed.code}
                    </Code>
                  ),
                },
                { key: 'kind', label: t('kind'), cell: (bed) => <Name row={bed.kind} /> },
                { key: 'mate', label: '', cell: (bed) => bed.mate && <Status is="met" label={t('with_mate')} /> },
                {
                  key: 'take',
                  label: t('choose'),
                  unseen: true,
                  end: true,
                  cell: (bed) => (
                    <Button size="xs" variant="light" disabled={busy} onClick={() => void take(bed.id)}>
                      {t('choose')}
                    </Button>
                  ),
                },
              ]}
            />
          </div>
        )}
        <div className={css.actions}>
          <Button variant="default" onClick={close}>
            {t('close')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
