/**
 * The interface icons: what goes inside an `<svg viewBox="0 0 24 24">` that strokes with the current colour. At most one
 * part is solid; the flame is the only second colour.
 */
export const icons = {
  pass: '<path d="M5 12.6l4.6 4.6L19 7.6"/>',
  partial: '<circle cx="12" cy="12" r="8"/><path class="solid" d="M12 4a8 8 0 0 0 0 16z"/>',
  fail: '<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>',
  na: '<path d="M5.5 12h13"/>',
  agent:
    '<path d="M6 8.5h12v9.5a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2zM12 8.5V4.8M3.4 12v4M20.6 12v4M9.6 12.4v1.4M14.4 12.4v1.4M9.8 17h4.4"/><circle cx="12" cy="3.6" r="1.2"/>',
  person: '<circle cx="12" cy="7.6" r="3.6"/><path d="M4.8 20.4c.5-4.6 3.2-6.9 7.2-6.9s6.7 2.3 7.2 6.9"/>',
  check: '<circle cx="12" cy="12" r="8.6"/><path d="M8 12.4l2.8 2.8 5.2-5.8"/>',
  chevron: '<path d="M9 5.6l6.4 6.4L9 18.4"/>',
  clock: '<circle cx="12" cy="12" r="8.4"/><path d="M12 7v5.2l3.6 2.2"/>',
  close: '<path d="M5.6 5.6l12.8 12.8M18.4 5.6L5.6 18.4"/>',
  copy: '<path d="M9 8.4h10.4v12H9z"/><path d="M5 15.6H4V3.6h10.6v1.2"/>',
  download: '<path d="M12 3.6v11.6M7.2 10.6l4.8 4.8 4.8-4.8M4.4 20h15.2"/>',
  external: '<path d="M10 5H4.6v14.4H19V14M14 4.4h5.6V10M19.4 4.6l-9 9"/>',
  filter: '<path d="M3.8 5.2h16.4l-6.4 7.6v6l-3.6-2v-4z"/>',
  key: '<circle cx="8" cy="9" r="4.4"/><path d="M11.2 12.2l8.6 8M16.6 17.2l2.4-2.4"/><circle cx="7.4" cy="8.4" r="1"/>',
  'lamp-on':
    '<path d="M12 2.6v2.2M8.6 4.8h6.8M7 8.6l1.9-3.8h6.2L17 8.6M5.8 8.6h12.4M7 8.6l1.3 10.2h7.4L17 8.6M6.6 18.8h10.8l.8 2.4H5.8z"/><path class="flame" d="M12 10c2 2.3 2.8 3.5 2.8 5a2.8 2.8 0 0 1-5.6 0c0-1.5.8-2.7 2.8-5z"/>',
  'lamp-off':
    '<path d="M12 2.6v2.2M8.6 4.8h6.8M7 8.6l1.9-3.8h6.2L17 8.6M5.8 8.6h12.4M7 8.6l1.3 10.2h7.4L17 8.6M6.6 18.8h10.8l.8 2.4H5.8zM12 17.4v-2.6"/>',
  menu: '<path d="M3.8 6.6h16.4M3.8 12h16.4M3.8 17.4h16.4"/>',
  rss: '<path d="M5 11.2a7.8 7.8 0 0 1 7.8 7.8M5 5a14 14 0 0 1 14 14"/><circle class="solid" cx="6.3" cy="17.7" r="1.7"/>',
  search: '<circle cx="10.6" cy="10.6" r="6.4"/><path d="M15.4 15.4l5 5"/>',
  warning: '<path d="M12 3.8L2.8 20h18.4zM12 10v4.6M12 17.4h.01"/>',
} as const;

export type IconName = keyof typeof icons;
