FROM python:3.11-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BIBLIOS_DATA=/data
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt \
 && useradd --system biblios \
 && install -d -o biblios /data
COPY . .
USER biblios
VOLUME /data
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--prepare", "--host", "0.0.0.0"]
