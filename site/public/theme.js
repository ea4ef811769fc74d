// The lamp that the reader chose, before the first paint. Without a choice the system decides.
try {
  const lamp = localStorage.getItem('lamp');
  if (lamp === 'day' || lamp === 'night') {
    document.documentElement.dataset.theme = lamp;
  }
} catch {}
