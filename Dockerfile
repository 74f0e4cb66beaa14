# A tag can be moved: to be sure of the very bytes, add the digest that `docker buildx imagetools inspect` shows.
FROM python:3.11.13-slim-trixie
ENV PYTHONUNBUFFERED=1 BIBLIOS_DATA=/data
WORKDIR /app
# pg_dump and psql for the commands backup and restore.
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends postgresql-client-17 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home biblios \
 && install -d -m 700 -o biblios -g biblios /data && install -d -o biblios -g biblios /data/static \
 && install -d -m 700 -o biblios -g biblios /data/key
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
# What needs to be written is written now: in service the code is read-only.
RUN BIBLIOS_DATA=/tmp/data python manage.py prepare && rm -r /tmp/data && python -m compileall -q .
USER biblios
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
 CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "manage.py", "serve", "--prepare", "--host", "0.0.0.0"]
