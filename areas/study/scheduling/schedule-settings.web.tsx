import { Switch } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { act } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import buildingWeb from './places/building.web.tsx'
import distanceWeb from './places/distance.web.tsx'
import locationWeb from './places/location.web.tsx'
import { roomSlotCalls } from './slots/slot.contract.ts'
import slotWeb from './slots/slot.web.tsx'
import examSlotWeb from './exam-slots/exam-slot.web.tsx'
import { examSlotCalls } from './exam-slots/exam-slot.contract.ts'

/** The one switch by which every timetable shows Ramadan times. */
const RamadanSwitch = () => (
  <Season calls={roomSlotCalls} refreshes={['/slots', '/offering-schedules']} label="ramadan_time" />
)
/** The same of exams. */
const ExamRamadanSwitch = () => (
  <Season calls={examSlotCalls} refreshes={['/exam-slots', '/exam-schedules', '/exams']} label="ramadan_exams" />
)

interface SeasonProps {
  readonly calls: typeof roomSlotCalls | typeof examSlotCalls
  readonly refreshes: readonly string[]
  readonly label: 'ramadan_time' | 'ramadan_exams'
}
function Season({ calls, refreshes, label }: SeasonProps) {
  const t = useT('scheduling')
  const me = useMe()
  const { data } = useCall(calls.getRamadanTimeStatus)
  const { send } = useChange(...refreshes)
  const on = data?.data.is_ramadan ?? false
  const flip = async () => {
    await act({
      ask: {
        title: on ? t('ramadan_off') : t('ramadan_on'),
        consequence: on ? t('ramadan_off_text') : t('ramadan_on_text'),
        action: t('ramadan_switch'),
      },
      go: () => send(calls.changeRamadanTime, { body: { is_ramadan: !on } }),
      done: () => (on ? t('ramadan_is_off') : t('ramadan_is_on')),
    })
  }
  return (
    <Switch
      checked={on}
      disabled={!data || !me.can('change_ramadan_time')}
      label={t(label)}
      onChange={() => void flip()}
    />
  )
}

/** Periods of the teaching day, buildings and locations. */
export default function ScheduleSettingsScreen() {
  const t = useT('scheduling')
  const me = useMe()
  return (
    <Page title={t('schedule_settings')} action={<RamadanSwitch />}>
      <ScreenTabs
        tabs={[
          ...(me.can('access_slot')
            ? [{ key: 'slots', label: t('slots'), content: () => <ResourceList web={slotWeb} page={false} /> }]
            : []),
          ...(me.can('access_examSlot')
            ? [
                {
                  key: 'exam-slots',
                  label: t('exam_slots'),
                  content: () => (
                    <>
                      <ExamRamadanSwitch />
                      <ResourceList web={examSlotWeb} page={false} />
                    </>
                  ),
                },
              ]
            : []),
          ...(me.can('access_location')
            ? [
                {
                  key: 'locations',
                  label: t('locations'),
                  content: () => <ResourceList web={locationWeb} page={false} />,
                },
              ]
            : []),
          ...(me.can('access_building')
            ? [
                {
                  key: 'buildings',
                  label: t('buildings'),
                  content: () => <ResourceList web={buildingWeb} page={false} />,
                },
              ]
            : []),
          ...(me.can('access_buildingDistance')
            ? [
                {
                  key: 'ways',
                  label: t('ways'),
                  content: () => <ResourceList web={distanceWeb} page={false} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}
