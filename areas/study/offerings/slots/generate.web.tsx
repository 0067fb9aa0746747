import { Alert, Button, Checkbox, Modal, NumberInput, Table } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '#kit/web/api/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import css from '../offerings.module.css'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { Stack } from '#kit/web/shell/card.tsx'
import type { OfferingRow } from '../parts.web.tsx'
import { MEETING_TYPES } from '#kit/contract/week.ts'
import { offeringSlotCalls } from './slots.contract.ts'

/** Makes groups and meetings from the hours of the course, and finds them a place if wanted. */
export function Generate({ row, onClose }: { row: OfferingRow; onClose: () => void }) {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const say = useLabel()
  const kinds = MEETING_TYPES.filter((m) => (row.hours?.[m.value] ?? 0) > 0)
  const [groups, setGroups] = useState<number | string>(Math.max(1, row.groups?.length ?? 1))
  const [quota, setQuota] = useState<number | string>(row.groups?.[0]?.meetings[0]?.quota ?? 60)
  const [over, setOver] = useState<number | string>(row.groups?.[0]?.meetings[0]?.over_quota ?? 3)
  const [sections, setSections] = useState<Record<string, number | string>>({})
  const [replace, setReplace] = useState(false)
  const [place, setPlace] = useState(true)
  const [answer, setAnswer] = useState<ResponseOf<typeof offeringSlotCalls.generate> | null>(null)
  const generate = useSend(offeringSlotCalls.generate, {
    onDone: (result) => {
      if (result.unplaced.length) return setAnswer(result)
      notify.done(t('generated', { count: result.added, placed: result.placed }))
      onClose()
    },
  })
  const whole = (value: number | string, least: number) => Math.max(least, Number(value) || 0)
  return (
    <Modal opened onClose={onClose} title={t('generate_title')} size="lg">
      {answer ? (
        <Unplaced answer={answer} onClose={onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            generate.mutate({
              params: { id: row.id },
              body: {
                groups: whole(groups, 1),
                quota: whole(quota, 1),
                over_quota: whole(over, 0),
                types: kinds.map((kind) => ({ type: kind.value, sections: whole(sections[kind.value] ?? 1, 1) })),
                replace,
                place,
              },
            })
          }}
        >
          <Stack>
            <p className={css.dim} style={{ margin: 0 }}>
              {t('generate_text')}
            </p>
            <div className={css.adder}>
              <NumberInput
                label={t('groups_number')}
                value={groups}
                onChange={setGroups}
                min={1}
                max={500}
                allowDecimal={false}
                required
                withAsterisk={false}
                data-autofocus
              />
              <NumberInput
                label={t('quota')}
                value={quota}
                onChange={setQuota}
                min={1}
                max={10_000}
                allowDecimal={false}
                required
                withAsterisk={false}
              />
              <NumberInput
                label={t('over_quota')}
                value={over}
                onChange={setOver}
                min={0}
                max={10_000}
                allowDecimal={false}
                required
                withAsterisk={false}
              />
            </div>
            {kinds.length ? (
              <Table withRowBorders={false} verticalSpacing={4}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('type')}</Table.Th>
                    <Table.Th>{t('hours')}</Table.Th>
                    <Table.Th>{t('sections')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {kinds.map((kind) => (
                    <Table.Tr key={kind.value}>
                      <Table.Td>{say(kind.label)}</Table.Td>
                      <Table.Td>{formatNumber(row.hours![kind.value])}</Table.Td>
                      <Table.Td>
                        <NumberInput
                          aria-label={`${t('sections')} ${say(kind.label)}`}
                          size="xs"
                          w={90}
                          min={1}
                          max={26}
                          allowDecimal={false}
                          value={sections[kind.value] ?? 1}
                          onChange={(value) => setSections({ ...sections, [kind.value]: value })}
                        />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            ) : (
              <Alert color="yellow">{t('no_hours')}</Alert>
            )}
            <Checkbox
              checked={place}
              onChange={(event) => setPlace(event.currentTarget.checked)}
              label={t('place')}
              description={t('place_text')}
            />
            <Checkbox
              checked={replace}
              onChange={(event) => setReplace(event.currentTarget.checked)}
              label={t('replace')}
              description={t('replace_text')}
            />
            {generate.error && <Problems error={generate.error} />}
            <div className={css.cardActions} style={{ justifyContent: 'flex-end' }}>
              <Button variant="default" onClick={onClose}>
                {k('cancel')}
              </Button>
              <Submit type="submit" loading={generate.isPending} missing={[!kinds.length && t('no_hours')]}>
                {t('generate')}
              </Submit>
            </div>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

/** Meetings that found no place, and why. */
function Unplaced({ answer, onClose }: { answer: ResponseOf<typeof offeringSlotCalls.generate>; onClose: () => void }) {
  const t = useT('offerings')
  const k = useT('kit-screens')
  return (
    <Stack>
      <p>{t('generated', { count: answer.added, placed: answer.placed })}</p>
      <Alert color="yellow" title={t('unplaced_title', { count: answer.unplaced.length })}>
        <ul>
          {answer.unplaced.map((one) => (
            <li key={one.id}>
              {t('group', { number: one.group })} <MeetingType {...one} />: {t(`no_place_${one.reason}`)}
            </li>
          ))}
        </ul>
      </Alert>
      <div className={css.cardActions}>
        <Button onClick={onClose}>{k('close')}</Button>
      </div>
    </Stack>
  )
}
