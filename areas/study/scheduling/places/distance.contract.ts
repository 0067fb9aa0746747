import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** How long it takes from one building to another. */
export const buildingDistance = resource({
  name: 'buildingDistance',
  path: '/building-distances',
  table: 'building_distances',
  one: ['Way between buildings', 'مسافة بين مبنيين'],
  many: ['Ways between buildings', 'المسافات بين المباني'],
  adding: ['Add a way', 'إضافة مسافة'],
  editing: ['Edit a way', 'تعديل مسافة'],
  permissions: { ...crud('buildingDistance'), import: null },
  scope: 'university',
  fields: {
    building_id: f.lookup(['Building', 'المبنى'], 'building', { required: true }),
    other_building_id: f.lookup(['Other building', 'المبنى الآخر'], 'building', { required: true }),
    minutes: f.integer(['Minutes on foot', 'الدقائق سيرًا'], {
      required: true,
      min: 1,
      max: 180,
      help: ['Either way', 'في الاتجاهين'],
    }),
  },
  list: {
    columns: ['building_id', 'other_building_id', 'minutes'],
    search: [],
    sort: ['minutes'],
    filters: ['building_id', 'other_building_id'],
    order: ['minutes', 'desc'],
  },
  exportName: 'Ways between buildings',
  softDelete: true,
  plain: true,
  // Between buildings of the demo university of which nobody has said it.
  examples: [
    [1, 3],
    [1, 4],
    [2, 4],
    [3, 4],
  ].map(([building_id, other_building_id]) => ({ building_id, other_building_id, minutes: 5 })),
  screens: { add: '/building-distances/add', edit: '/building-distances/edit/:id' },
  parent: '/schedule-settings',
})
