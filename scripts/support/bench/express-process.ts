// A bare Express server for comparison: it answers every GET with the bytes of FILE, and takes JSON with POST. PORT comes from the
// environment too. It says "up" when it listens.
import { readFileSync } from 'node:fs';
import express from 'express';

const { PORT, FILE = '' } = process.env;
const body = readFileSync(FILE);
const app = express();
app.post(/.*/, express.json(), (_request, response) => {
  response.status(201).json({ ok: true });
});
app.use((_request, response) => {
  response.type('html').send(body);
});
app.listen(Number(PORT), '127.0.0.1', () => console.log('up'));
